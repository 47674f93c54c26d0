// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import org.jspecify.annotations.Nullable;

/**
 * One event with everything that is stored of it. The payload may hold personal data; that somebody
 * looked at it stands in the audit table.
 */
public final class EventDetails {

  private final EventSummary summary;
  private final StoredEvent event;

  EventDetails(EventSummary summary, StoredEvent event) {
    this.summary = summary;
    this.event = event;
  }

  /** What a list shows of it. */
  public EventSummary summary() {
    return summary;
  }

  /** The conversation it belongs to, if any. */
  public @Nullable String correlationId() {
    return event.correlationId();
  }

  /** What caused it, if known. */
  public @Nullable String causationId() {
    return event.causationId();
  }

  /** The trace it belongs to, if any. */
  public @Nullable String traceparent() {
    return event.traceparent();
  }

  /** Its dedupe key, if any. */
  public @Nullable String dedupeKey() {
    return event.dedupeKey();
  }

  /** Its headers as they are stored: {@code name=value&name=value}, encoded as in a web form. */
  public @Nullable String headers() {
    return event.headers();
  }

  /** The media type of the payload. */
  public String contentType() {
    return event.contentType();
  }

  /** A copy of the payload. */
  public byte[] payload() {
    return event.payload().clone();
  }

  /** A copy of the stored SHA-256. */
  public byte[] sha256() {
    return event.sha256().clone();
  }

  /** Position and id; never the payload or a header. */
  @Override
  public String toString() {
    return "event " + summary.eventId() + " at " + summary.position();
  }
}
