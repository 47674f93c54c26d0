// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.dddevents.Aggregate;
import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import io.dddevents.EventRefusedException;
import io.dddevents.Publication;
import io.dddevents.UnreadableEventException;
import io.dddevents.UnreadableEventException.Reason;
import io.dddevents.WireName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as an AMQP message, and back. Everything that the event's hash covers travels, so that
 * the consumer can compute it again. Free headers carry a prefix: whatever else stands in a message
 * was put there by brokers and plug-ins and is not ours to read.
 */
final class EventMessage {

  static final String SHA256 = "ddd-sha256";
  private static final String VERSION = "ddd-version";
  private static final String AGGREGATE_TYPE = "ddd-aggregate-type";
  private static final String AGGREGATE_ID = "ddd-aggregate-id";
  private static final String AGGREGATE_VERSION = "ddd-aggregate-version";
  private static final String TENANT = "ddd-tenant";
  private static final String CAUSATION_ID = "ddd-causation-id";
  private static final String DEDUPE_KEY = "ddd-dedupe-key";
  private static final String POSITION = "ddd-position";
  private static final String ATTEMPT = "ddd-attempt";
  private static final String RELAY = "ddd-relay";
  private static final String TRACEPARENT = "traceparent";
  private static final String TIME = "cloudEvents_time";
  private static final String HEADER = "ddd-header-";
  private static final int PERSISTENT = 2;
  private static final int MAX_HEADERS = 128;

  private EventMessage() {}

  static BasicProperties properties(Publication publication, String application) {
    EventEnvelope envelope = publication.envelope();
    EventContext context = envelope.context();
    String id = envelope.id().toString();
    Map<String, Object> headers = new HashMap<>(32);
    headers.put("cloudEvents_specversion", "1.0");
    headers.put("cloudEvents_id", id);
    headers.put("cloudEvents_source", application);
    headers.put("cloudEvents_type", envelope.type().name());
    headers.put(TIME, envelope.occurredAt().toString());
    headers.put(VERSION, envelope.type().version());
    headers.put(SHA256, HexFormat.of().formatHex(envelope.sha256()));
    headers.put(POSITION, publication.position());
    headers.put(ATTEMPT, publication.attempt());
    headers.put(RELAY, publication.relay());
    envelope
        .aggregate()
        .ifPresent(
            aggregate -> {
              headers.put("cloudEvents_subject", aggregate.id());
              headers.put(AGGREGATE_TYPE, aggregate.type());
              headers.put(AGGREGATE_ID, aggregate.id());
              putPresent(headers, AGGREGATE_VERSION, aggregate.version());
            });
    putPresent(headers, TENANT, context.tenant());
    putPresent(headers, CAUSATION_ID, context.causationId());
    putPresent(headers, TRACEPARENT, context.traceparent());
    putPresent(headers, DEDUPE_KEY, envelope.dedupeKey().orElse(null));
    context.headers().forEach((name, value) -> headers.put(HEADER + name, value));
    return new BasicProperties.Builder()
        .messageId(id)
        .type(envelope.type().name())
        .timestamp(Date.from(envelope.occurredAt()))
        .contentType(envelope.contentType())
        .appId(application)
        .correlationId(context.correlationId())
        .deliveryMode(PERSISTENT)
        .headers(headers)
        .build();
  }

  /**
   * The envelope of a message.
   *
   * @throws UnreadableEventException if a part is missing, ill-formed or beyond a limit
   */
  static EventEnvelope envelope(BasicProperties properties, byte[] body) {
    Map<String, Object> headers =
        properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    if (headers.size() > MAX_HEADERS) {
      throw bad(
          "it has " + headers.size() + " headers; at most " + MAX_HEADERS + " are read", null);
    }
    try {
      WireName type =
          new WireName(
              required(properties.getType(), "type"),
              Math.toIntExact(number(headers, VERSION).orElse(1L)));
      return EventEnvelope.builder(id(properties), type)
          .aggregate(aggregate(headers))
          .occurredAt(occurredAt(properties, headers))
          .context(context(properties, headers))
          .dedupeKey(text(headers, DEDUPE_KEY))
          .payload(required(properties.getContentType(), "content type"), body)
          .build();
    } catch (EventRefusedException | DateTimeException | ArithmeticException e) {
      throw bad(String.valueOf(e.getMessage()), e);
    }
  }

  /** The hash that the publisher computed; empty if the publisher was not ours. */
  static Optional<byte[]> sha256(BasicProperties properties) {
    Map<String, Object> headers =
        properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    String hex = text(headers, SHA256);
    if (hex == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw bad("header " + SHA256 + " is not hexadecimal", e);
    }
  }

  private static UUID id(BasicProperties properties) {
    String id = required(properties.getMessageId(), "message id");
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw bad("its message id is not a UUID", e);
    }
  }

  private static @Nullable Aggregate aggregate(Map<String, Object> headers) {
    String type = text(headers, AGGREGATE_TYPE);
    String id = text(headers, AGGREGATE_ID);
    if (type == null && id == null) {
      return null;
    }
    return new Aggregate(
        required(type, AGGREGATE_TYPE),
        required(id, AGGREGATE_ID),
        number(headers, AGGREGATE_VERSION).orElse(null));
  }

  private static EventContext context(BasicProperties properties, Map<String, Object> headers) {
    Map<String, String> free = new TreeMap<>();
    for (String name : headers.keySet()) {
      if (name.startsWith(HEADER)) {
        free.put(name.substring(HEADER.length()), required(text(headers, name), name));
      }
    }
    return new EventContext(
        text(headers, TENANT),
        properties.getCorrelationId(),
        text(headers, CAUSATION_ID),
        text(headers, TRACEPARENT),
        free);
  }

  private static Instant occurredAt(BasicProperties properties, Map<String, Object> headers) {
    String time = text(headers, TIME);
    if (time != null) {
      return Instant.parse(time);
    }
    return required(properties.getTimestamp(), "timestamp").toInstant();
  }

  private static @Nullable String text(Map<String, Object> headers, String name) {
    Object value = headers.get(name);
    if (value == null || value instanceof String || value instanceof LongString) {
      return value == null ? null : value.toString();
    }
    throw bad("header " + name + " is no text", null);
  }

  private static Optional<Long> number(Map<String, Object> headers, String name) {
    Object value = headers.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return Optional.of(((Number) value).longValue());
    }
    throw bad("header " + name + " is no whole number", null);
  }

  private static void putPresent(Map<String, Object> headers, String name, @Nullable Object value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  private static <T> T required(@Nullable T value, String name) {
    if (value == null) {
      throw bad("it has no " + name, null);
    }
    return value;
  }

  private static UnreadableEventException bad(String why, @Nullable Throwable cause) {
    String message = "the message is not an event: " + why;
    return cause == null
        ? new UnreadableEventException(Reason.BAD_ENVELOPE, message)
        : new UnreadableEventException(Reason.BAD_ENVELOPE, message, cause);
  }
}
