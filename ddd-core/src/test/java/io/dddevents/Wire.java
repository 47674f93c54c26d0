// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dddevents.jackson.JacksonEventSerializer;
import java.time.Instant;
import java.util.List;

/** Both ends of the line without what lies between: an event is written, or read. */
public final class Wire {

  private final JacksonEventSerializer serializer;
  private final EventTypes types;

  private Wire(JacksonEventSerializer serializer, EventTypes types) {
    this.serializer = serializer;
    this.types = types;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static Wire of(Class<? extends DomainEvent>... classes) {
    return of(JacksonEventSerializer.builder(), classes);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static Wire of(
      JacksonEventSerializer.Builder builder, Class<? extends DomainEvent>... classes) {
    EventTypes types = EventTypes.of(List.of(classes));
    return new Wire(builder.types(types).build(), types);
  }

  public String write(DomainEvent event) {
    return write(event, EventOptions.defaults());
  }

  public String write(DomainEvent event, EventOptions options) {
    return new String(bytes(event, options), UTF_8);
  }

  public byte[] bytes(DomainEvent event, EventOptions options) {
    WireName type = types.nameOf(event.getClass());
    return serializer.serialize(RaisedEvent.of(event, options), type);
  }

  public DomainEvent read(WireName type, String json) {
    return read(type, json.getBytes(UTF_8));
  }

  public DomainEvent read(WireName type, byte[] json) {
    return serializer.deserialize(envelope(type, json));
  }

  public DomainEvent read(Class<? extends DomainEvent> type, String json) {
    return read(types.nameOf(type), json);
  }

  public DomainEvent read(Class<? extends DomainEvent> type, byte[] json) {
    return read(types.nameOf(type), json);
  }

  public DomainEvent roundTrip(DomainEvent event) {
    return read(event.getClass(), bytes(event, EventOptions.defaults()));
  }

  public static EventEnvelope envelope(WireName type, byte[] json) {
    return EventEnvelope.builder(EventIds.next(), type)
        .occurredAt(Instant.EPOCH)
        .payload("application/json", json)
        .build();
  }
}
