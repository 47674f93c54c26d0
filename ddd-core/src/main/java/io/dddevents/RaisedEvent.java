// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An event as it stands on its aggregate between raise and capture: identity, time, context and
 * place in the raise order are fixed from here on.
 *
 * @param id the event's id
 * @param order grows with every raise in this JVM, whatever the aggregate
 * @param event the event itself
 * @param occurredAt when it happened, in microseconds, the precision every database keeps
 * @param context tenant, conversation, trace and headers at the time of the raise
 * @param dedupeKey see {@link EventOptions}
 */
public record RaisedEvent(
    UUID id,
    long order,
    DomainEvent event,
    Instant occurredAt,
    EventContext context,
    @Nullable String dedupeKey) {

  private static final AtomicLong ORDER = new AtomicLong();
  private static final Clock CLOCK = Clock.systemUTC();

  /** Gives the event its identity, time, context and place in the order. */
  public static RaisedEvent of(DomainEvent event, EventOptions options) {
    Objects.requireNonNull(event, "event");
    EventContext context = EventContext.current();
    if (!options.headers().isEmpty()) {
      context = context.withHeaders(options.headers());
    }
    EventEnvelope.requireTenantInDedupeKey(context.tenant(), options.dedupeKey());
    UUID id = options.id() == null ? EventIds.next() : options.id();
    Instant occurredAt = options.occurredAt() == null ? CLOCK.instant() : options.occurredAt();
    return new RaisedEvent(
        id,
        ORDER.incrementAndGet(),
        event,
        occurredAt.truncatedTo(ChronoUnit.MICROS),
        context,
        options.dedupeKey());
  }

  /** Id and class; never the event's content. */
  @Override
  public String toString() {
    return "event " + id + " (" + event.getClass().getName() + ")";
  }
}
