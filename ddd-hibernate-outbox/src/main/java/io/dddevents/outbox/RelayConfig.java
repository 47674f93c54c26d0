// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

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
 * @param dedupeRetention how long a dedupe key that was used is refused. Defaults to 30 days
 * @param inboxRetention how long it is remembered that a consumer has handled a message; as long as
 *     anything can come again: not shorter than {@code retention}, whose events can be replayed,
 *     nor than all retries together. Defaults to 14 days
 * @param purgeInterval between two removals of what is older than that. Defaults to 10 min
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
    Duration dedupeRetention,
    Duration inboxRetention,
    Duration purgeInterval,
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
    range("dedupeRetention", dedupeRetention, Duration.ofMinutes(1), Duration.ofDays(3650));
    range("inboxRetention", inboxRetention, Duration.ofMinutes(1), Duration.ofDays(3650));
    range("purgeInterval", purgeInterval, Duration.ofSeconds(1), Duration.ofDays(1));
    Objects.requireNonNull(retry, "retry");
    retry.maxAttempts().ifPresent(attempts -> range("attempts of retry", attempts, 1, 1_000));
    Objects.requireNonNull(order, "order");
    skipFailed = Set.copyOf(skipFailed);
    if (lease.compareTo(interval) <= 0) {
      throw new IllegalArgumentException(
          "lease (" + lease + ") must be longer than interval (" + interval + ")");
    }
    notShorter(inboxRetention, "retention (" + retention + ")", retention);
    Duration retries = horizon(retry, inboxRetention);
    notShorter(inboxRetention, "all delays of retry (" + retries + ")", retries);
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
        Duration.ofDays(30),
        Duration.ofDays(14),
        Duration.ofMinutes(10),
        RetryPolicy.defaults(),
        Order.CONFIRMED,
        Set.of());
  }

  /**
   * The defaults, changed by settings such as {@code outbox.relay.batch-size=100}; see {@code
   * docs/configuration.md}. Names in the form of environment variables ({@code
   * DDD_OUTBOX_RELAY_BATCH_SIZE}) are understood too and win, so the two can be put into one map.
   * Unknown settings of the relay are refused; what begins otherwise is ignored.
   *
   * @throws IllegalArgumentException naming the setting and what is allowed
   */
  public static RelayConfig from(Map<String, String> settings) {
    return RelaySettings.read(settings);
  }

  /** As {@link #from}, of properties. */
  public static RelayConfig fromProperties(Properties properties) {
    return RelaySettings.read(RelaySettings.texts(properties));
  }

  /** As {@link #from}, of the environment of this process. */
  public static RelayConfig fromEnvironment() {
    return RelaySettings.read(System.getenv());
  }

  /** With another batch size. */
  public RelayConfig withBatchSize(int batchSize) {
    return with(draft -> draft.batchSize = batchSize);
  }

  /** With another window. */
  public RelayConfig withWindow(int window) {
    return with(draft -> draft.window = window);
  }

  /** With another interval. */
  public RelayConfig withInterval(Duration interval) {
    return with(draft -> draft.interval = interval);
  }

  /** With another time between sweeps. */
  public RelayConfig withSweep(Duration sweep) {
    return with(draft -> draft.sweep = sweep);
  }

  /** With another lease. */
  public RelayConfig withLease(Duration lease) {
    return with(draft -> draft.lease = lease);
  }

  /** With another limit for a stop. */
  public RelayConfig withStopTimeout(Duration stopTimeout) {
    return with(draft -> draft.stopTimeout = stopTimeout);
  }

  /** With another retention; zero deletes at once. */
  public RelayConfig withRetention(Duration retention) {
    return with(draft -> draft.retention = retention);
  }

  /** With another time for dedupe keys. */
  public RelayConfig withDedupeRetention(Duration dedupeRetention) {
    return with(draft -> draft.dedupeRetention = dedupeRetention);
  }

  /** With another time for handled messages. */
  public RelayConfig withInboxRetention(Duration inboxRetention) {
    return with(draft -> draft.inboxRetention = inboxRetention);
  }

  /** With another time between purges. */
  public RelayConfig withPurgeInterval(Duration purgeInterval) {
    return with(draft -> draft.purgeInterval = purgeInterval);
  }

  /** With another retry policy. */
  public RelayConfig withRetry(RetryPolicy retry) {
    return with(draft -> draft.retry = retry);
  }

  /** With another order. */
  public RelayConfig withOrder(Order order) {
    return with(draft -> draft.order = order);
  }

  /** With the event types whose failure holds nothing back. */
  public RelayConfig withSkipFailed(Set<String> skipFailed) {
    return with(draft -> draft.skipFailed = skipFailed);
  }

  private RelayConfig with(Consumer<RelayDraft> change) {
    RelayDraft draft = new RelayDraft(this);
    change.accept(draft);
    return draft.config();
  }

  /** The longest time from the first attempt to the last, or more than enough. */
  private static Duration horizon(RetryPolicy retry, Duration enough) {
    if (retry.maxAttempts().isEmpty()) {
      // It never ends, so no inbox could remember for so long; one delay is what can be asked.
      return retry.backoff().delayAfter(1_000, longest());
    }
    Duration sum = Duration.ZERO;
    Optional<Duration> delay = retry.delayAfter(1, longest());
    for (int attempt = 2; delay.isPresent() && sum.compareTo(enough) <= 0; attempt++) {
      sum = sum.plus(delay.get());
      delay = retry.delayAfter(attempt, longest());
    }
    return sum;
  }

  /** Draws the upper end of every jitter: the bound itself is exclusive. */
  private static RandomGenerator longest() {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return Long.MAX_VALUE;
      }

      @Override
      public long nextLong(long origin, long bound) {
        return bound - 1;
      }
    };
  }

  private static void notShorter(Duration inboxRetention, String other, Duration least) {
    if (inboxRetention.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "inboxRetention ("
              + inboxRetention
              + ") must not be shorter than "
              + other
              + ", or what comes again is handled twice");
    }
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
