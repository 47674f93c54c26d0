// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.DomainEvent;
import io.dddevents.EventLimits;
import io.dddevents.EventType;
import io.dddevents.EventTypes;
import io.dddevents.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The settings of a {@link RabbitConsumer}. Immutable; one that exists is valid.
 *
 * @param name the consumer's name in the inbox. Two consumers with one name share their memory
 * @param queue the queue; what cannot be handled goes to {@link #parkingQueue()}
 * @param exchange the topic exchange to which the queue is bound. Defaults to {@code domain.events}
 * @param bindings routing key patterns. Defaults to the types of the handlers
 * @param queueType defaults to {@link QueueType#QUORUM}
 * @param declare whether queues and bindings are created if missing; otherwise they are only
 *     checked. Defaults to true. Nothing is ever deleted
 * @param singleActive whether of several consumers on the queue only one is active, which keeps the
 *     order per aggregate across processes. Defaults to true
 * @param deliveryLimit how often a quorum queue delivers a message whose consumers die before the
 *     broker parks it. Defaults to 100
 * @param prefetch how many messages are held unacknowledged. Defaults to 50
 * @param workers how many threads handle events; those of one aggregate stay on one thread.
 *     Defaults to 4
 * @param retry attempts in place. Defaults to 5, exponential from 100 ms to 5 s
 * @param handlerTimeout when a handler is interrupted; counts as a failed attempt. Defaults to 30 s
 * @param window how far back the inbox remembers; older messages that it does not know are parked.
 *     Defaults to 7 days
 * @param stopTimeout how long {@link RabbitConsumer#close()} lets running handlers finish. Defaults
 *     to 30 s
 * @param maxPayloadBytes the largest body that is read. Defaults to {@value
 *     EventLimits#MAX_PAYLOAD_BYTES}
 * @param hashRequired whether a message without a hash is parked; set it to false for publishers
 *     that are not ours. Defaults to true
 * @param tenants the tenants that are served; empty means all, also none. Defaults to empty
 */
public record ConsumerConfig(
    String name,
    String queue,
    String exchange,
    Set<String> bindings,
    QueueType queueType,
    boolean declare,
    boolean singleActive,
    int deliveryLimit,
    int prefetch,
    int workers,
    RetryPolicy retry,
    Duration handlerTimeout,
    Duration window,
    Duration stopTimeout,
    int maxPayloadBytes,
    boolean hashRequired,
    Set<String> tenants) {

  /** How far ahead of our clock an event may claim to have happened. */
  static final Duration CLOCK_TOLERANCE = Duration.ofDays(1);

  private static final int MAX_NAME_LENGTH = 100;
  private static final int MAX_ATTEMPTS = 1000;

  /** What kind of queue holds the messages. */
  public enum QueueType {
    /** Replicated; RabbitMQ only. */
    QUORUM,
    /** Classic and durable, for a broker that knows no other. */
    CLASSIC
  }

  /** Refuses what could not work. */
  public ConsumerConfig {
    requireName("name", name);
    requireName("queue", queue);
    requireName("exchange", exchange);
    bindings = Set.copyOf(bindings);
    bindings.forEach(ConsumerConfig::requirePattern);
    tenants = Set.copyOf(tenants);
    requireRange("deliveryLimit", deliveryLimit, 1, 1_000_000);
    requireRange("prefetch", prefetch, 1, 65_535);
    requireRange("workers", workers, 1, 256);
    requireRange("maxPayloadBytes", maxPayloadBytes, 1, EventLimits.MAX_PAYLOAD_BYTES);
    requirePositive("handlerTimeout", handlerTimeout);
    requirePositive("window", window);
    require(!stopTimeout.isNegative(), "stopTimeout must not be negative, was " + stopTimeout);
    int attempts = retry.maxAttempts().orElse(Integer.MAX_VALUE);
    require(
        attempts <= MAX_ATTEMPTS,
        "retry must end after at most " + MAX_ATTEMPTS + " attempts, or nothing is ever parked");
    Duration horizon = horizon(retry, attempts, handlerTimeout);
    require(
        window.compareTo(horizon) > 0,
        "window ("
            + window
            + ") must be longer than all attempts of retry together ("
            + horizon
            + ")");
  }

  /** A consumer with a queue of the same name. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Where messages go that cannot be handled: the queue's name and {@code .parked}. */
  public String parkingQueue() {
    return queue + ".parked";
  }

  /** How long an inbox must remember: the window, and how far publishers' clocks may be ahead. */
  public Duration inboxRetention() {
    return window.plus(CLOCK_TOLERANCE);
  }

  private static Duration horizon(RetryPolicy retry, int attempts, Duration timeout) {
    RandomGenerator random = RandomGenerator.getDefault();
    Duration horizon = timeout.multipliedBy(attempts);
    for (int i = 1; i < attempts; i++) {
      // Jitter draws from the upper half, so twice the draw is never too short.
      horizon = horizon.plus(retry.delayAfter(i, random).orElse(Duration.ZERO).multipliedBy(2));
    }
    return horizon;
  }

  private static void requireName(String field, String value) {
    boolean fits = !value.isEmpty() && value.length() <= MAX_NAME_LENGTH;
    for (int i = 0; fits && i < value.length(); i++) {
      char c = value.charAt(i);
      fits = isAlphanumeric(c) || (i > 0 && (c == '.' || c == '-' || c == '_' || c == ':'));
    }
    require(
        fits,
        field
            + " must have 1 to "
            + MAX_NAME_LENGTH
            + " letters, digits, '.', '-', '_' or ':' and begin with a letter or digit");
    require(
        !value.startsWith("amq."), field + " must not begin with 'amq.', which is the broker's");
  }

  private static void requirePattern(String pattern) {
    boolean fits = !pattern.isEmpty() && pattern.length() <= 255;
    for (String word : pattern.split("\\.", -1)) {
      boolean wildcard = word.equals("*") || word.equals("#");
      fits =
          fits && (wildcard || (!word.isEmpty() && word.chars().allMatch(c -> inWord((char) c))));
    }
    require(
        fits,
        "a binding must be words of letters, digits, '_', '$', '-', or the words '*' and '#',"
            + " separated by single dots, at most 255 characters");
  }

  private static boolean inWord(char c) {
    return isAlphanumeric(c) || c == '_' || c == '$' || c == '-';
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static void requireRange(String field, int value, int least, int most) {
    require(
        value >= least && value <= most,
        field + " must be from " + least + " to " + most + ", was " + value);
  }

  private static void requirePositive(String field, Duration value) {
    require(
        !value.isNegative() && !value.isZero() && value.compareTo(Duration.ofDays(3650)) <= 0,
        field + " must be longer than zero and at most ten years, was " + value);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Collects the settings; begins with the defaults. */
  public static final class Builder {

    private final String name;
    private final Set<String> bindings = new LinkedHashSet<>();
    private String queue;
    private String exchange = "domain.events";
    private QueueType queueType = QueueType.QUORUM;
    private boolean declare = true;
    private boolean singleActive = true;
    private int deliveryLimit = 100;
    private int prefetch = 50;
    private int workers = 4;
    private RetryPolicy retry =
        RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(5), 5);
    private Duration handlerTimeout = Duration.ofSeconds(30);
    private Duration window = Duration.ofDays(7);
    private Duration stopTimeout = Duration.ofSeconds(30);
    private int maxPayloadBytes = EventLimits.MAX_PAYLOAD_BYTES;
    private boolean hashRequired = true;
    private Set<String> tenants = Set.of();

    private Builder(String name) {
      this.name = name;
      this.queue = name;
    }

    /** The queue. Defaults to the consumer's name. */
    public Builder queue(String queue) {
      this.queue = queue;
      return this;
    }

    /** The exchange to bind to. */
    public Builder exchange(String exchange) {
      this.exchange = exchange;
      return this;
    }

    /** Binds by the wire name of an event class, and by its former names. */
    public Builder bind(Class<? extends DomainEvent> type) {
      bindings.addAll(keysOf(type));
      return this;
    }

    /** Binds by a pattern such as {@code order.*}. */
    public Builder bind(String pattern) {
      bindings.add(pattern);
      return this;
    }

    /** The kind of queue. */
    public Builder queueType(QueueType queueType) {
      this.queueType = queueType;
      return this;
    }

    /** Whether to create what is missing. */
    public Builder declare(boolean declare) {
      this.declare = declare;
      return this;
    }

    /** Whether one consumer of the queue is active at a time. */
    public Builder singleActive(boolean singleActive) {
      this.singleActive = singleActive;
      return this;
    }

    /** When the broker parks a message that kills its consumers. */
    public Builder deliveryLimit(int deliveryLimit) {
      this.deliveryLimit = deliveryLimit;
      return this;
    }

    /** How many messages are held. */
    public Builder prefetch(int prefetch) {
      this.prefetch = prefetch;
      return this;
    }

    /** How many threads handle events. */
    public Builder workers(int workers) {
      this.workers = workers;
      return this;
    }

    /** When a failed attempt is repeated. */
    public Builder retry(RetryPolicy retry) {
      this.retry = retry;
      return this;
    }

    /** When a handler is interrupted. */
    public Builder handlerTimeout(Duration handlerTimeout) {
      this.handlerTimeout = handlerTimeout;
      return this;
    }

    /** How far back the inbox remembers. */
    public Builder window(Duration window) {
      this.window = window;
      return this;
    }

    /** How long closing waits. */
    public Builder stopTimeout(Duration stopTimeout) {
      this.stopTimeout = stopTimeout;
      return this;
    }

    /** The largest body. */
    public Builder maxPayloadBytes(int maxPayloadBytes) {
      this.maxPayloadBytes = maxPayloadBytes;
      return this;
    }

    /** Whether a message needs a hash. */
    public Builder hashRequired(boolean hashRequired) {
      this.hashRequired = hashRequired;
      return this;
    }

    /** The tenants to serve. */
    public Builder tenants(Set<String> tenants) {
      this.tenants = tenants;
      return this;
    }

    /** The settings. */
    public ConsumerConfig build() {
      return new ConsumerConfig(
          name,
          queue,
          exchange,
          bindings,
          queueType,
          declare,
          singleActive,
          deliveryLimit,
          prefetch,
          workers,
          retry,
          handlerTimeout,
          window,
          stopTimeout,
          maxPayloadBytes,
          hashRequired,
          tenants);
    }

    static Set<String> keysOf(Class<? extends DomainEvent> type) {
      Set<String> keys = new LinkedHashSet<>();
      keys.add(EventTypes.open().nameOf(type).name());
      EventType declared = type.getAnnotation(EventType.class);
      if (declared != null) {
        keys.addAll(Arrays.asList(declared.aliases()));
      }
      return keys;
    }
  }
}
