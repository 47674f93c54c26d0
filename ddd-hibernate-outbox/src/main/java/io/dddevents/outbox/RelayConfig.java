// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * How a relay works. Immutable; no wrong one can exist. Start at {@link #defaults()} and change
 * what you need.
 *
 * @param batchSize rows per read and per acknowledge, 1 to 10,000. Defaults to 500
 * @param window events sent and not confirmed yet, 1 to 100,000. Defaults to 1,000
 * @param interval between two looks at an idle outbox; a commit in the same JVM wakes the relay
 *     earlier. Defaults to 1 s
 * @param sweep between two searches for events that committed late. Defaults to 5 s
 * @param lease how long a relay that died keeps its lanes. Defaults to 30 s
 * @param stopTimeout how long a stop waits for open confirms. Defaults to 10 s
 * @param retention how long published events stay in the archive; zero deletes them at once.
 *     Defaults to 7 days
 * @param retry when an event that the broker refuses is tried again. Defaults to {@link
 *     RetryPolicy#defaults()}
 * @param order whether the next event of an aggregate waits for the confirm of the one before.
 *     Defaults to {@link Order#CONFIRMED}
 * @param skipFailed event types whose failure does not hold back later events of the aggregate.
 *     Defaults to none: a Failed event blocks its aggregate until an operator has decided
 */
public record RelayConfig(
    int batchSize,
    int window,
    Duration interval,
    Duration sweep,
    Duration lease,
    Duration stopTimeout,
    Duration retention,
    RetryPolicy retry,
    Order order,
    Set<String> skipFailed) {

  /** What a relay promises within one aggregate. */
  public enum Order {
    /** Event n+1 is sent after event n is confirmed. */
    CONFIRMED,
    /**
     * Events are sent in order without waiting, for aggregates with very many events. If the broker
     * refuses one of them, later ones may have arrived before it does.
     */
    PIPELINED
  }

  /** Checks every value and how they fit together. */
  public RelayConfig {
    range("batchSize", batchSize, 1, 10_000);
    range("window", window, 1, 100_000);
    range("interval", interval, Duration.ofMillis(10), Duration.ofHours(1));
    range("sweep", sweep, Duration.ofMillis(10), Duration.ofHours(1));
    range("lease", lease, Duration.ofMillis(500), Duration.ofHours(1));
    range("stopTimeout", stopTimeout, Duration.ZERO, Duration.ofHours(1));
    range("retention", retention, Duration.ZERO, Duration.ofDays(3650));
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(order, "order");
    skipFailed = Set.copyOf(skipFailed);
    if (lease.compareTo(interval) <= 0) {
      throw new IllegalArgumentException(
          "lease (" + lease + ") must be longer than interval (" + interval + ")");
    }
  }

  /** All defaults. */
  public static RelayConfig defaults() {
    return new RelayConfig(
        500,
        1_000,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofDays(7),
        RetryPolicy.defaults(),
        Order.CONFIRMED,
        Set.of());
  }

  /** With another batch size. */
  public RelayConfig withBatchSize(int batchSize) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another window. */
  public RelayConfig withWindow(int window) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another interval. */
  public RelayConfig withInterval(Duration interval) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another time between sweeps. */
  public RelayConfig withSweep(Duration sweep) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another lease. */
  public RelayConfig withLease(Duration lease) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another limit for a stop. */
  public RelayConfig withStopTimeout(Duration stopTimeout) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another retention; zero deletes at once. */
  public RelayConfig withRetention(Duration retention) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another retry policy. */
  public RelayConfig withRetry(RetryPolicy retry) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With another order. */
  public RelayConfig withOrder(Order order) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  /** With the event types whose failure holds nothing back. */
  public RelayConfig withSkipFailed(Set<String> skipFailed) {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        retry,
        order,
        skipFailed);
  }

  private static void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be from " + least + " to " + most + ", was " + value);
    }
  }

  private static void range(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " must be from " + least + " to " + most + ", was " + value);
    }
  }
}
