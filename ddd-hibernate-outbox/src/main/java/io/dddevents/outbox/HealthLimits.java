// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Duration;

/**
 * From when on a relay is no longer healthy. Immutable.
 *
 * @param stuck age of an event that nothing keeps from being published. Defaults to 5 min
 * @param lag age of the oldest unpublished event, whatever it waits for. Defaults to 15 min
 * @param failuresPerMinute failed attempts within a minute. Defaults to 10
 */
public record HealthLimits(Duration stuck, Duration lag, int failuresPerMinute) {

  /** Refuses limits that would always or never be reached. */
  public HealthLimits {
    require(!stuck.isNegative() && !stuck.isZero(), "stuck must be longer than zero, was " + stuck);
    require(!lag.isNegative() && !lag.isZero(), "lag must be longer than zero, was " + lag);
    require(
        failuresPerMinute >= 0, "failuresPerMinute must be at least 0, was " + failuresPerMinute);
  }

  /** All defaults. */
  public static HealthLimits defaults() {
    return new HealthLimits(Duration.ofMinutes(5), Duration.ofMinutes(15), 10);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
