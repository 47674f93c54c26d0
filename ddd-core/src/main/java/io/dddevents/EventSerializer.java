// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * Turns events into bytes and back. What {@link #serialize} writes is what is stored, hashed and
 * published. Implementations are safe for many threads.
 */
public interface EventSerializer {

  /** The media type of what {@link #serialize} writes, for example {@code application/json}. */
  String contentType();

  /**
   * The payload of an event.
   *
   * @throws EventRefusedException if it cannot be written or is too large; nothing is stored then
   */
  byte[] serialize(RaisedEvent raised, WireName type);

  /**
   * The event of an envelope, after upcasting.
   *
   * @throws UnreadableEventException if the type, version, content type or payload does not fit
   */
  DomainEvent deserialize(EventEnvelope envelope);
}
