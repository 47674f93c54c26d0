// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Limits.require;

import io.dddevents.EventEnvelope;
import io.dddevents.EventLimits;
import io.dddevents.EventRefusedException;
import io.dddevents.RetryPolicy;
import io.dddevents.WireName;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * Settings of a {@link RabbitPublisher}. Immutable; none that exists is invalid.
 *
 * @param application who publishes: {@code app_id} and the CloudEvents source
 * @param exchange the topic exchange. Defaults to {@code domain.events}
 * @param topology whether to declare it, to check it, or neither. Defaults to DECLARE
 * @param window how many events may be unconfirmed, from 1 to 100,000; {@code publish} waits while
 *     that many are. Defaults to 1000
 * @param confirmTimeout how long an event may be unconfirmed before the connection is given up and
 *     all unconfirmed events are unknown; from 100 ms to 10 min. Must be below half of the relay's
 *     lease, else another relay takes over what this one still waits for. Defaults to 10 s
 * @param closeTimeout how long {@code close} waits for open confirms, up to 10 min. Defaults to 5 s
 * @param maxBodyBytes larger payloads are refused; at most {@link EventLimits#MAX_PAYLOAD_BYTES},
 *     which is the default
 * @param routing gives the routing key of an event. Defaults to its type's name
 * @param mayBeUnrouted names of event types that are good even if no queue takes them. Defaults to
 *     none
 * @param reconnect the pauses between attempts to connect. Defaults to exponential from 100 ms to 3
 *     s with jitter
 */
public record RabbitPublisherConfig(
    String application,
    String exchange,
    RabbitTopology topology,
    int window,
    Duration confirmTimeout,
    Duration closeTimeout,
    int maxBodyBytes,
    Function<EventEnvelope, String> routing,
    Set<String> mayBeUnrouted,
    RetryPolicy.Backoff reconnect) {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** Refuses values out of range, and names that AMQP or RabbitMQ would refuse. */
  public RabbitPublisherConfig {
    Limits.requireShortString("application", application);
    require(
        exchange.matches("[A-Za-z0-9_.:-]{1,127}"),
        "exchange must be 1 to 127 letters, digits, '_', '.', ':' or '-'");
    require(!exchange.startsWith("amq."), "exchange must not begin with 'amq.', which is reserved");
    require(window >= 1 && window <= 100_000, "window must be from 1 to 100000, was " + window);
    Limits.requireDuration("confirmTimeout", confirmTimeout, Duration.ofMillis(100), LONGEST);
    Limits.requireDuration("closeTimeout", closeTimeout, Duration.ZERO, LONGEST);
    require(
        maxBodyBytes >= 1 && maxBodyBytes <= EventLimits.MAX_PAYLOAD_BYTES,
        "maxBodyBytes must be from 1 to "
            + EventLimits.MAX_PAYLOAD_BYTES
            + ", was "
            + maxBodyBytes);
    mayBeUnrouted = Set.copyOf(mayBeUnrouted);
    mayBeUnrouted.forEach(RabbitPublisherConfig::requireTypeName);
  }

  /** The defaults. */
  public static RabbitPublisherConfig defaults(String application) {
    return builder(application).build();
  }

  /** Starts from the defaults. */
  public static Builder builder(String application) {
    return new Builder(application);
  }

  private static void requireTypeName(String name) {
    try {
      new WireName(name, 1);
    } catch (EventRefusedException e) {
      throw new IllegalArgumentException("mayBeUnrouted: " + e.getMessage(), e);
    }
  }

  /** Collects settings; {@link #build()} checks them together. */
  public static final class Builder {

    private final String application;
    private String exchange = "domain.events";
    private RabbitTopology topology = RabbitTopology.DECLARE;
    private int window = 1000;
    private Duration confirmTimeout = Duration.ofSeconds(10);
    private Duration closeTimeout = Duration.ofSeconds(5);
    private int maxBodyBytes = EventLimits.MAX_PAYLOAD_BYTES;
    private Function<EventEnvelope, String> routing = envelope -> envelope.type().name();
    private final Set<String> mayBeUnrouted = new HashSet<>();
    private RetryPolicy.Backoff reconnect =
        new RetryPolicy.Exponential(Duration.ofMillis(100), Duration.ofSeconds(3), true);

    private Builder(String application) {
      this.application = application;
    }

    /** The topic exchange. */
    public Builder exchange(String exchange) {
      this.exchange = exchange;
      return this;
    }

    /** Whether to declare the exchange, to check it, or neither. */
    public Builder topology(RabbitTopology topology) {
      this.topology = topology;
      return this;
    }

    /** How many events may be unconfirmed. */
    public Builder window(int window) {
      this.window = window;
      return this;
    }

    /** How long an event may be unconfirmed. */
    public Builder confirmTimeout(Duration confirmTimeout) {
      this.confirmTimeout = confirmTimeout;
      return this;
    }

    /** How long {@code close} waits for open confirms. */
    public Builder closeTimeout(Duration closeTimeout) {
      this.closeTimeout = closeTimeout;
      return this;
    }

    /** The largest payload that is published. */
    public Builder maxBodyBytes(int maxBodyBytes) {
      this.maxBodyBytes = maxBodyBytes;
      return this;
    }

    /**
     * Gives the routing key of an event instead of its type's name. It is tried here with the
     * samples, at least one and best one of each type: a key that AMQP cannot carry fails now and
     * not at night. Later on an event for which it throws or gives a bad key is refused. It must be
     * safe for many threads.
     */
    public Builder routing(
        Function<EventEnvelope, String> routing, Collection<EventEnvelope> samples) {
      require(!samples.isEmpty(), "routing needs at least one sample to be tried with");
      for (EventEnvelope sample : samples) {
        try {
          Limits.requireRoutingKey(routing.apply(sample));
        } catch (RuntimeException e) {
          throw new IllegalArgumentException(
              "routing fails for event type '" + sample.type() + "': " + e.getMessage(), e);
        }
      }
      this.routing = routing;
      return this;
    }

    /** Marks a type as good even if no queue takes its events. May be called again. */
    public Builder mayBeUnrouted(String typeName) {
      mayBeUnrouted.add(typeName);
      return this;
    }

    /** The pauses between attempts to connect. */
    public Builder reconnect(RetryPolicy.Backoff reconnect) {
      this.reconnect = reconnect;
      return this;
    }

    /** The settings, or an {@link IllegalArgumentException} that names what is wrong. */
    public RabbitPublisherConfig build() {
      return new RabbitPublisherConfig(
          application,
          exchange,
          topology,
          window,
          confirmTimeout,
          closeTimeout,
          maxBodyBytes,
          routing,
          mayBeUnrouted,
          reconnect);
    }
  }
}
