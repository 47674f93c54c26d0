// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.Inbox;
import io.dddevents.RetryPolicy;
import io.dddevents.UnitOfWork;
import java.time.Duration;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Closed while the database does not answer. Workers wait here with their deliveries in hand, so
 * nothing is acked, nothing is requeued, and the broker sends no more than the prefetch. One of
 * them asks the database again from time to time.
 */
final class DatabaseGate {

  private static final RetryPolicy PROBING =
      RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(5), Integer.MAX_VALUE);
  private static final Duration LOOK_UP = Duration.ofMillis(250);

  private final String consumer;
  private final UnitOfWork unitOfWork;
  private final Inbox inbox;
  private final Teller teller;
  private boolean paused;
  private boolean probing;

  DatabaseGate(String consumer, UnitOfWork unitOfWork, Inbox inbox, Teller teller) {
    this.consumer = consumer;
    this.unitOfWork = unitOfWork;
    this.inbox = inbox;
    this.teller = teller;
  }

  synchronized boolean isPaused() {
    return paused;
  }

  /** Whether the database is really gone; if so, the gate is closed now. */
  boolean closeIfGone(Throwable cause) {
    if (probe() == null) {
      return false;
    }
    synchronized (this) {
      if (paused) {
        return true;
      }
      paused = true;
    }
    teller.paused(cause);
    return true;
  }

  /** Returns when the gate is open or the intake wants no more work. */
  void pass(Intake intake) throws InterruptedException {
    while (isPaused() && intake.isOpen()) {
      if (takeProbe()) {
        try {
          probeUntilOpen(intake);
        } finally {
          giveProbeBack();
        }
      } else {
        awaitNews();
      }
    }
  }

  private synchronized boolean takeProbe() {
    boolean mine = !probing;
    probing = true;
    return mine;
  }

  private synchronized void giveProbeBack() {
    probing = false;
    notifyAll();
  }

  /** Returns early on purpose: the intake may have gone quiet, and nobody tells us that. */
  private synchronized void awaitNews() throws InterruptedException {
    long deadline = System.nanoTime() + LOOK_UP.toNanos();
    for (long left = LOOK_UP.toNanos();
        paused && probing && left > 0;
        left = deadline - System.nanoTime()) {
      wait(left / 1_000_000 + 1);
    }
  }

  private void probeUntilOpen(Intake intake) throws InterruptedException {
    for (int attempt = 1; isPaused(); attempt++) {
      Duration delay = PROBING.delayAfter(attempt, RandomGenerator.getDefault()).orElseThrow();
      if (intake.awaitQuiet(delay)) {
        return;
      }
      if (probe() == null) {
        synchronized (this) {
          paused = false;
        }
        teller.resumed();
      }
    }
  }

  /** A real statement in a real transaction that is rolled back; beginning alone proves nothing. */
  private @Nullable Throwable probe() {
    try {
      unitOfWork.<ProbeDone>run(
          () -> {
            inbox.receive(consumer, "probe-" + UUID.randomUUID(), new byte[32]);
            throw new ProbeDone();
          });
      return null;
    } catch (ProbeDone done) {
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static final class ProbeDone extends Exception {
    private static final long serialVersionUID = 1L;

    ProbeDone() {
      super("rolled back on purpose", null, false, false);
    }
  }
}
