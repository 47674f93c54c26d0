// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What can be said about one event when it is raised. Immutable; start at {@link #defaults()}.
 *
 * @param id the event's id; by default a new one of {@link EventIds#next()}
 * @param occurredAt when it happened; by default now, by the system clock
 * @param dedupeKey an event of the same type with the same key is stored once, however often it is
 *     raised; with a tenant the key must begin with the tenant and {@code /}
 * @param headers added to those of the {@link EventContext}
 */
public record EventOptions(
    @Nullable UUID id,
    @Nullable Instant occurredAt,
    @Nullable String dedupeKey,
    Map<String, String> headers) {

  private static final EventOptions DEFAULTS = new EventOptions(null, null, null, Map.of());

  /** Refuses what could not be stored. */
  public EventOptions {
    Text.requireOptionalText("dedupe key", dedupeKey, EventLimits.DEDUPE_KEY_BYTES);
    headers = Headers.checked(headers);
  }

  /** A new id, now, no dedupe key, no headers. */
  public static EventOptions defaults() {
    return DEFAULTS;
  }

  /** With the given id. Two events with one id make the transaction fail. */
  public EventOptions id(UUID id) {
    return new EventOptions(id, occurredAt, dedupeKey, headers);
  }

  /** With the given time. */
  public EventOptions occurredAt(Instant occurredAt) {
    return new EventOptions(id, occurredAt, dedupeKey, headers);
  }

  /** With the given dedupe key. */
  public EventOptions dedupeKey(String dedupeKey) {
    return new EventOptions(id, occurredAt, dedupeKey, headers);
  }

  /** With one more header. */
  public EventOptions header(String name, String value) {
    return new EventOptions(
        id, occurredAt, dedupeKey, Headers.merged(headers, Map.of(name, value)));
  }
}
