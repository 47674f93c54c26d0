// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two threads of a relay: one works, one keeps the leases. When the database is down both try
 * again, ever less often, and say so once.
 */
final class RelayThreads implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RelayThreads.class);

  /** Intervals without a call of the clock after which the thread looks for itself. */
  private static final int SILENCE = 3;

  private final String relay;
  private final RelayConfig config;
  private final RelayWorker worker;
  private final Leases leases;
  private final List<RelayConnection> connections;
  private final Circuit database = new Circuit(RandomGenerator.getDefault());
  private final ScheduledExecutorService renewal;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition woken = lock.newCondition();
  private final Condition passed = lock.newCondition();
  private long passes;
  private boolean wakeUp;
  private boolean stopping;
  private boolean started;
  private boolean closed;

  RelayThreads(
      String relay,
      RelayConfig config,
      RelayWorker worker,
      Leases leases,
      List<RelayConnection> connections) {
    this.relay = relay;
    this.config = config;
    this.worker = worker;
    this.leases = leases;
    this.connections = connections;
    this.thread = new Thread(this::work, "outbox-" + relay);
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread renewing = new Thread(task, "outbox-" + relay + "-lease");
              renewing.setDaemon(true);
              return renewing;
            });
  }

  void start() {
    lock.lock();
    try {
      if (started || closed) {
        throw new IllegalStateException("relay " + relay + " was started before; make another");
      }
      started = true;
    } finally {
      lock.unlock();
    }
    long period = Math.max(50, config.lease().toMillis() / 5);
    var unused = renewal.scheduleWithFixedDelay(this::renew, 0, period, TimeUnit.MILLISECONDS);
    thread.start();
    log.info("Relay started: relay={} lease={}", relay, config.lease());
  }

  void runOnce() throws SQLException {
    lock.lock();
    try {
      if (started) {
        throw new IllegalStateException("relay " + relay + " runs on its own thread");
      }
    } finally {
      lock.unlock();
    }
    leases.maintain();
    worker.pass();
  }

  void wake() {
    lock.lock();
    try {
      wakeUp = true;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** For others to see; the truth may be newer. */
  State state() {
    lock.lock();
    try {
      return new State(
          started,
          closed,
          worker.isHalted(),
          database.isOpen(),
          worker.brokerIsDown(),
          leases.valid().size());
    } finally {
      lock.unlock();
    }
  }

  record State(
      boolean started,
      boolean closed,
      boolean paused,
      boolean databaseIsDown,
      boolean brokerIsDown,
      int lanes) {}

  void pause(boolean on) {
    lock.lock();
    try {
      if (on) {
        worker.halt(System.nanoTime() + config.stopTimeout().toNanos());
      } else {
        worker.goOn();
      }
      wakeUp = true;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end of a pass, or so long. */
  void awaitPass(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long before = passes;
      long left = atMost.toNanos();
      while (passes == before && left > 0) {
        left = passed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void renew() {
    try {
      boolean had = !leases.valid().isEmpty();
      leases.maintain();
      if (!had) {
        wake();
      }
    } catch (SQLException | RuntimeException e) {
      // The working thread meets the same database and reports it; the lease simply runs out.
      log.debug("Leases could not be renewed: relay={}", relay, e);
    }
  }

  private void work() {
    while (awaitWork()) {
      try {
        worker.pass();
        if (database.succeeded()) {
          log.info("The database answers again: relay={}", relay);
        }
      } catch (SQLException | RuntimeException e) {
        if (database.failed(System.nanoTime())) {
          log.warn("The relay cannot work and will try again: relay={}", relay, e);
        }
      }
      signalPassed();
    }
    finish();
  }

  private void signalPassed() {
    lock.lock();
    try {
      passes++;
      passed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a wake-up, the interval or something that is due. Returns false to stop. */
  private boolean awaitWork() {
    lock.lock();
    try {
      while (!stopping) {
        long now = System.nanoTime();
        boolean allowed = !database.isOpen() || now - database.probeAtNanos() >= 0;
        if (wakeUp && allowed) {
          wakeUp = false;
          return !database.isOpen() || database.allows(now);
        }
        long until = untilDue(now);
        if (until <= 0 || woken.awaitNanos(until) <= 0) {
          wakeUp = true;
        }
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private long untilDue(long now) {
    if (database.isOpen()) {
      return Math.max(1, database.probeAtNanos() - now);
    }
    long due = worker.nextDueNanos().orElse(Long.MAX_VALUE) - now;
    // The clock calls every interval; should it be dead, the relay still works, only later.
    return Math.max(1, Math.min(due, SILENCE * config.interval().toNanos()));
  }

  /** One more pass of the halted worker: it awaits answers and acknowledges. */
  private void finish() {
    try {
      worker.halt(System.nanoTime() + config.stopTimeout().toNanos());
      worker.pass();
    } catch (SQLException | RuntimeException e) {
      log.warn("The relay could not finish cleanly; another takes over: relay={}", relay, e);
    }
  }

  @Override
  public void close() {
    boolean running;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      stopping = true;
      worker.halt(System.nanoTime() + config.stopTimeout().toNanos());
      running = started;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (running) {
        thread.join(config.stopTimeout().toMillis() + 5_000);
      } else {
        finish();
      }
      renewal.shutdownNow();
      boolean unused = renewal.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    leave();
  }

  private void leave() {
    try {
      leases.leave();
    } catch (SQLException | RuntimeException e) {
      log.warn(
          "The lanes could not be given back; they are free after the lease: relay={}", relay, e);
    } finally {
      leases.close();
      connections.forEach(RelayConnection::close);
    }
    log.info("Relay stopped: relay={}", relay);
  }
}
