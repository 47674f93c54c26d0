// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * When the relay last showed a sign of life, and how often attempts failed within the last minute.
 */
final class RelayPulse {

  private static final long SECOND = 1_000_000_000L;
  private static final int SECONDS = 60;

  private final LongSupplier nanoTime;
  private final long origin;
  // A second and the failures in it, packed into one number, so that no lock is needed.
  private final AtomicLongArray failures = new AtomicLongArray(SECONDS);
  private volatile long lastTurn;
  private volatile long lastTick;
  private volatile long ticks;
  private volatile boolean turned;

  RelayPulse(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.origin = nanoTime.getAsLong();
    this.lastTurn = origin;
    this.lastTick = origin;
  }

  /** The relay's thread goes round once more. */
  void turn() {
    lastTurn = nanoTime.getAsLong();
    turned = true;
  }

  /** The clock has called. */
  synchronized void tick() {
    lastTick = nanoTime.getAsLong();
    ticks++;
  }

  void failure() {
    long second = second();
    failures.updateAndGet(
        (int) (second % SECONDS), old -> old >>> 32 == second ? old + 1 : (second << 32) + 1);
  }

  boolean hasTurned() {
    return turned;
  }

  long nanosSinceTurn() {
    return nanoTime.getAsLong() - lastTurn;
  }

  long nanosSinceTick() {
    return nanoTime.getAsLong() - lastTick;
  }

  long ticks() {
    return ticks;
  }

  /** Failed attempts within the last 60 seconds. */
  long failuresPerMinute() {
    long now = second();
    long sum = 0;
    for (int i = 0; i < SECONDS; i++) {
      long slot = failures.get(i);
      if (now - (slot >>> 32) < SECONDS) {
        sum += slot & 0xffff_ffffL;
      }
    }
    return sum;
  }

  /** Counted from 1, so that an empty slot belongs to no second. */
  private long second() {
    return (nanoTime.getAsLong() - origin) / SECOND + SECONDS;
  }
}
