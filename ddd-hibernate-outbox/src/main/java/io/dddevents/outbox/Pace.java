// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.concurrent.locks.LockSupport;

/** Keeps work at a rate by waiting. One thread uses it. */
final class Pace {

  private final int perSecond;
  private long nextNanos = System.nanoTime();

  Pace(int perSecond) {
    this.perSecond = perSecond;
  }

  /** How many may be done at once so that the rate holds within every second. */
  int batch(int most) {
    return Math.min(most, perSecond);
  }

  /** Waits until so many more are due. Returns false if the thread was interrupted. */
  boolean await(int done) {
    if (perSecond != Integer.MAX_VALUE) {
      nextNanos = Math.max(nextNanos, System.nanoTime()) + done * 1_000_000_000L / perSecond;
      long left = nextNanos - System.nanoTime();
      while (left > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = nextNanos - System.nanoTime();
      }
    }
    return !Thread.currentThread().isInterrupted();
  }
}
