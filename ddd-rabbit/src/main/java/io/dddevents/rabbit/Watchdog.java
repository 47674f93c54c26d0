// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts handlers that run too long. The interrupt hits the handler or nobody: never the commit
 * that follows it.
 */
final class Watchdog {

  private final Duration timeout;
  private final ScheduledThreadPoolExecutor timer;

  Watchdog(String name, Duration timeout) {
    this.timeout = timeout;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "ddd-consumer-" + name + "-watchdog");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
  }

  interface Work {
    void run() throws Exception;
  }

  /**
   * Runs the work on this thread.
   *
   * @throws HandlerTimeoutException if it ran too long, whether it noticed the interrupt or not
   */
  void guard(Work work) throws Exception {
    Watch watch = new Watch(Thread.currentThread());
    Future<?> alarm = timer.schedule(watch::expire, timeout.toNanos(), TimeUnit.NANOSECONDS);
    try {
      work.run();
    } catch (Throwable e) {
      if (watch.end()) {
        HandlerTimeoutException late = new HandlerTimeoutException(timeout);
        late.addSuppressed(e);
        throw late;
      }
      throw e;
    } finally {
      alarm.cancel(false);
    }
    if (watch.end()) {
      throw new HandlerTimeoutException(timeout);
    }
  }

  void close() {
    timer.shutdownNow();
  }

  private static final class Watch {
    private final Thread thread;
    private boolean ended;
    private boolean expired;

    Watch(Thread thread) {
      this.thread = thread;
    }

    synchronized void expire() {
      if (!ended) {
        expired = true;
        thread.interrupt();
      }
    }

    /** Whether the time had run out; the thread's interrupt is taken back then. */
    synchronized boolean end() {
      ended = true;
      if (expired) {
        Thread.interrupted();
      }
      return expired;
    }
  }
}
