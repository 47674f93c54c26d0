// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The relay's meters, for Micrometer, which must be on the class path to use this.
 *
 * <pre>{@code
 * new OutboxMetrics(relay).bindTo(registry);
 * }</pre>
 *
 * <p>What is counted in the database is counted at most every ten seconds and up to 100,000 rows,
 * and is NaN while the database does not answer; a scrape never fails. Each meter has the tag
 * {@code relay}, the name that the relay was given: give different names to relays of one registry.
 */
public final class OutboxMetrics implements MeterBinder {

  private final OutboxRelay relay;
  private final Duration cachedFor;

  /** Counts in the database at most every 10 s. */
  public OutboxMetrics(OutboxRelay relay) {
    this(relay, Duration.ofSeconds(10));
  }

  /** Counts in the database at most that often. */
  public OutboxMetrics(OutboxRelay relay, Duration cachedFor) {
    if (cachedFor.isNegative()) {
      throw new IllegalArgumentException("cachedFor must not be negative, was " + cachedFor);
    }
    this.relay = relay;
    this.cachedFor = cachedFor;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Tags tags = Tags.of("relay", relay.givenName());
    bindDatabase(registry, tags);
    bindCounters(registry, tags);
    bindRelay(registry, tags);
  }

  private void bindDatabase(MeterRegistry registry, Tags tags) {
    Gauge.builder("outbox.pending.count", relay, r -> measured(counts -> counts.pending()))
        .description("events not published yet, at most 100,000")
        .tags(tags)
        .register(registry);
    Gauge.builder("outbox.dlq.count", relay, r -> measured(counts -> counts.failed()))
        .description("Failed events that wait for an operator, at most 100,000")
        .tags(tags)
        .register(registry);
    Gauge.builder(
            "outbox.lag.seconds", relay, r -> measured(counts -> counts.lag().toMillis() / 1_000.0))
        .description("age of the oldest unpublished event")
        .tags(tags)
        .register(registry);
  }

  private void bindCounters(MeterRegistry registry, Tags tags) {
    counter("outbox.processed.count", "events published", r -> r.statistics().published())
        .tags(tags)
        .register(registry);
    counter(
            "outbox.failed.count",
            "attempts that failed",
            r -> r.statistics().refused() + r.statistics().failed())
        .tags(tags)
        .register(registry);
    counter("outbox.attempts", "events handed to the publisher", r -> r.statistics().sent())
        .tags(tags)
        .register(registry);
    counter(
            "outbox.integrity.failure.count",
            "events that were not what was stored",
            r -> r.counters().damagedCount())
        .tags(tags)
        .register(registry);
    counter(
            "outbox.stalled.recovered.count",
            "lanes taken over from relays whose lease ran out",
            r -> r.counters().takenOverCount())
        .tags(tags)
        .register(registry);
    counter(
            "outbox.relay.lost.lanes",
            "lanes lost because a lease ran out",
            r -> r.statistics().lostLanes())
        .tags(tags)
        .register(registry);
    counter("outbox.relay.purged", "old rows removed", r -> r.counters().purgedCount())
        .tags(tags)
        .register(registry);
  }

  private void bindRelay(MeterRegistry registry, Tags tags) {
    FunctionTimer.builder(
            "outbox.relay.publish",
            relay,
            r -> r.counters().answeredCount(),
            r -> r.counters().answeredNanos(),
            TimeUnit.NANOSECONDS)
        .description("from handing an event to the publisher to the broker's answer")
        .tags(tags)
        .register(registry);
    TimeGauge.builder(
            "outbox.relay.last.pass.age",
            relay,
            TimeUnit.NANOSECONDS,
            r -> r.counters().pulse().nanosSinceTurn())
        .description("time since the relay last went round")
        .tags(tags)
        .register(registry);
    Gauge.builder("outbox.relay.lanes", relay, r -> r.state().lanes())
        .description("lanes that the relay holds")
        .tags(tags)
        .register(registry);
    Gauge.builder("outbox.relay.broker.up", relay, r -> r.state().brokerIsDown() ? 0 : 1)
        .description("1 if the broker answers, 0 if not")
        .tags(tags)
        .register(registry);
  }

  private FunctionCounter.Builder<OutboxRelay> counter(
      String name, String description, ToDoubleFunction<OutboxRelay> value) {
    return FunctionCounter.builder(name, relay, value).description(description);
  }

  private double measured(ToDoubleFunction<OutboxMeasures.Counts> value) {
    OutboxMeasures.Counts counts = relay.measures().atMost(cachedFor);
    return counts == null ? Double.NaN : value.applyAsDouble(counts);
  }
}
