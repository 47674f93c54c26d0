// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Keeps the relay from beating on something that is down. It opens with the first outage; then one
 * probe at a time is let through, after a delay that doubles up to a limit; the first success
 * closes it. Pure: time and chance are handed in.
 */
final class Circuit {

  private static final long FIRST_NANOS = Duration.ofMillis(100).toNanos();
  private static final long MOST_NANOS = Duration.ofSeconds(5).toNanos();

  private final RandomGenerator random;
  private volatile boolean open;
  private boolean probing;
  private long delayNanos;
  private long probeAtNanos;

  Circuit(RandomGenerator random) {
    this.random = random;
  }

  /** Whether something may be tried now; while open, only one probe at a time. */
  boolean allows(long nowNanos) {
    if (!open) {
      return true;
    }
    if (probing || nowNanos - probeAtNanos < 0) {
      return false;
    }
    probing = true;
    return true;
  }

  boolean isOpen() {
    return open;
  }

  /** When the next probe may go; meaningless while closed. */
  long probeAtNanos() {
    return probeAtNanos;
  }

  /** Returns whether this has closed the circuit. */
  boolean succeeded() {
    boolean closed = open;
    open = false;
    probing = false;
    return closed;
  }

  /** Returns whether this has opened the circuit. */
  boolean failed(long nowNanos) {
    if (open && !probing) {
      // One of many that were under way when the first one told.
      return false;
    }
    boolean opened = !open;
    delayNanos = opened ? FIRST_NANOS : Math.min(MOST_NANOS, delayNanos * 2);
    probeAtNanos = nowNanos + random.nextLong(delayNanos / 2, delayNanos + 1);
    open = true;
    probing = false;
    return opened;
  }
}
