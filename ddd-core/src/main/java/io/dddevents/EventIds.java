// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes version 7 UUIDs (RFC 9562) that strictly increase within one JVM, also across threads and
 * when the clock steps back. Between JVMs they are ordered by the clock only, so nothing may rely
 * on that order.
 */
public final class EventIds {

  private static final EventIds SHARED =
      new EventIds(Clock.systemUTC()::millis, new SecureRandom().nextLong());

  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private final LongSupplier millis;
  private final long key;

  /** Milliseconds since 1970 in the upper bits, a counter in the lower twelve. */
  private final AtomicLong last = new AtomicLong();

  EventIds(LongSupplier millis, long key) {
    this.millis = millis;
    this.key = key;
  }

  /** The next id of this JVM. */
  public static UUID next() {
    return SHARED.nextId();
  }

  UUID nextId() {
    long floor = millis.getAsLong() << 12;
    // More than 4096 ids in one millisecond borrow from the next one; it is caught up at once.
    long tick = last.updateAndGet(previous -> Math.max(previous + 1, floor));
    long high = (tick >>> 12) << 16 | 0x7000L | (tick & 0xfffL);
    long low = (mix(key + tick * GOLDEN_GAMMA) >>> 2) | 0x8000000000000000L;
    return new UUID(high, low);
  }

  /** SplitMix64's finaliser: as random as the secure key, at the cost of a few instructions. */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }
}
