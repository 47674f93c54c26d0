// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.RetryPolicy;
import io.dddevents.rabbit.RabbitConsumer.Parts;
import io.dddevents.rabbit.RabbitConsumer.State;
import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps one intake after the other open until told to stop, and then ends everything in order. */
final class ConsumerLoop implements Runnable {

  private static final RetryPolicy RECONNECT =
      RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), Integer.MAX_VALUE);
  private static final Duration LONGEST_WHEN_CAREFUL = Duration.ofSeconds(1);

  /** A life this long was no failure, even if it ended. */
  private static final Duration GOOD_LIFE = Duration.ofSeconds(10);

  private final ConsumerConfig config;
  private final ConnectionSource source;
  private final QueueSetup setup;
  private final Teller teller;
  private final DatabaseGate gate;
  private final Watchdog watchdog;
  private final Workers workers;
  private @Nullable Intake intake;
  private boolean stopping;
  private boolean stopped;

  ConsumerLoop(Parts parts, ConnectionSource source, Set<String> bindings) {
    this.config = parts.config();
    this.source = source;
    this.setup = new QueueSetup(config, bindings);
    this.teller = new Teller(config, parts.listener());
    this.gate = new DatabaseGate(config.name(), parts.unitOfWork(), parts.inbox(), teller);
    this.watchdog = new Watchdog(config.name(), config.handlerTimeout());
    Handling handling = new Handling(parts, watchdog);
    this.workers =
        new Workers(
            config.name(),
            config.workers(),
            new DeliveryWork(parts, handling, gate, setup, teller));
  }

  synchronized State state() {
    if (stopped) {
      return State.STOPPED;
    }
    if (intake == null || intake.isOver()) {
      return State.CONNECTING;
    }
    return gate.isPaused() ? State.PAUSED : State.CONSUMING;
  }

  synchronized void askToStop() {
    stopping = true;
    notifyAll();
  }

  @Override
  public void run() {
    workers.start();
    try {
      consumeUntilStopped();
      stopInOrder();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void consumeUntilStopped() throws InterruptedException {
    boolean careful = false;
    int failures = 0;
    while (!isStopping()) {
      long began = System.nanoTime();
      Throwable cause;
      try {
        Intake current = Intake.open(source, setup, config, careful, workers::dispatch, this::wake);
        teller.started();
        if (serve(current)) {
          return;
        }
        current.close();
        cause = current.cause();
        careful = current.diedOfAMessage();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        cause = e;
      }
      boolean goodLife = System.nanoTime() - began > GOOD_LIFE.toNanos();
      failures = cause == null || goodLife ? 0 : failures + 1;
      if (cause != null) {
        backOff(cause, Math.max(1, failures), careful);
      }
    }
  }

  /** Returns when the intake is over (false) or we are to stop (true). */
  private synchronized boolean serve(Intake current) throws InterruptedException {
    intake = current;
    while (!stopping && !current.isOver()) {
      wait();
    }
    return stopping;
  }

  private void backOff(Throwable cause, int failures, boolean careful) throws InterruptedException {
    Duration delay = RECONNECT.delayAfter(failures, RandomGenerator.getDefault()).orElseThrow();
    if (careful && delay.compareTo(LONGEST_WHEN_CAREFUL) > 0) {
      delay = LONGEST_WHEN_CAREFUL;
    }
    if (!isStopping()) {
      teller.disconnected(cause, delay);
    }
    long deadline = System.nanoTime() + delay.toNanos();
    synchronized (this) {
      for (long left = delay.toNanos();
          !stopping && left > 0;
          left = deadline - System.nanoTime()) {
        wait(left / 1_000_000 + 1);
      }
    }
  }

  private void stopInOrder() throws InterruptedException {
    Intake last = currentIntake();
    if (last != null) {
      last.drain();
    }
    int stuck = workers.stop(config.stopTimeout());
    if (stuck > 0) {
      teller.stuck(stuck);
    }
  }

  private void end() {
    Intake last = currentIntake();
    if (last != null) {
      last.close();
    }
    watchdog.close();
    synchronized (this) {
      stopped = true;
    }
    teller.stopped();
  }

  private synchronized @Nullable Intake currentIntake() {
    return intake;
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  private synchronized void wake() {
    notifyAll();
  }
}
