// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as an AMQP message. The body travels as it came; of the properties only what we
 * know, and only what is safe to write again: bytes that are not UTF-8 grow when they are decoded
 * and encoded, and then no longer fit. What is left out cannot be handled anyway.
 */
final class ParkedFormat {

  private static final String PARKED = "ddd-parked-";
  private static final String ID = PARKED + "id";
  private static final String REASON = PARKED + "reason";
  private static final String DETAIL = PARKED + "detail";
  private static final String ERROR = PARKED + "error";
  private static final String ATTEMPTS = PARKED + "attempts";
  private static final String FIRST_FAILURE = PARKED + "first-failure";
  private static final String AT = PARKED + "at";
  private static final String EXCHANGE = PARKED + "exchange";
  private static final String ROUTING_KEY = PARKED + "routing-key";
  private static final String INCOMPLETE = PARKED + "incomplete";

  private static final int MAX_HEADERS = 128;
  private static final int MAX_HEADER_BYTES = 80 * 1024;
  private static final int MAX_SHORT_BYTES = 255;
  private static final int MAX_DETAIL = 500;
  private static final int PERSISTENT = 2;

  private ParkedFormat() {}

  static BasicProperties write(ParkedMessage message, BasicProperties original) {
    Map<String, Object> headers = safeHeaders(original);
    headers.put(ID, message.id());
    headers.put(REASON, message.reason().name());
    headers.put(DETAIL, shortened(message.detail()));
    headers.put(ATTEMPTS, message.attempts());
    put(headers, ERROR, message.error());
    put(headers, FIRST_FAILURE, message.firstFailure());
    put(headers, AT, message.parkedAt());
    put(headers, EXCHANGE, message.exchange());
    put(headers, ROUTING_KEY, message.routingKey());
    if (!message.complete()) {
      headers.put(INCOMPLETE, "true");
    }
    return safe(original).headers(headers).build();
  }

  /** What stood there before it was parked. */
  static BasicProperties original(BasicProperties parked) {
    return safe(parked).headers(safeHeaders(parked)).build();
  }

  static ParkedMessage read(BasicProperties properties, byte[] body) {
    Map<String, Object> headers =
        properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    String id = text(headers, ID);
    String attempts = text(headers, ATTEMPTS);
    String detail = text(headers, DETAIL);
    return new ParkedMessage(
        id == null ? "body-" + sha256(body) : id,
        reason(text(headers, REASON)),
        detail == null ? "parked by the broker; see its dead-letter headers" : detail,
        safeShort(properties.getMessageId()),
        safeShort(properties.getType()),
        text(headers, ERROR),
        attempts == null ? 0 : number(attempts),
        instant(text(headers, FIRST_FAILURE)),
        instant(text(headers, AT)),
        text(headers, EXCHANGE),
        text(headers, ROUTING_KEY),
        body.length,
        text(headers, INCOMPLETE) == null && isComplete(properties));
  }

  /** Whether everything of ours in these properties can be written again. */
  static boolean isComplete(BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    boolean whole =
        headers == null
            || headers.keySet().stream().filter(ParkedFormat::isOurs).count()
                == safeHeaders(properties).size();
    return whole
        && isSafe(properties.getMessageId())
        && isSafe(properties.getType())
        && isSafe(properties.getContentType())
        && isSafe(properties.getContentEncoding())
        && isSafe(properties.getCorrelationId())
        && isSafe(properties.getAppId());
  }

  private static boolean isSafe(@Nullable String text) {
    return text == null || safeShort(text) != null;
  }

  /** The text if it can be written as a short string again and be shown; else nothing. */
  static @Nullable String safeShort(@Nullable String text) {
    if (text == null || text.getBytes(UTF_8).length > MAX_SHORT_BYTES) {
      return null;
    }
    boolean safe =
        text.codePoints()
            .noneMatch(
                c ->
                    c == 0xFFFD
                        || Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.SURROGATE);
    return safe ? text : null;
  }

  private static BasicProperties.Builder safe(BasicProperties original) {
    return new BasicProperties.Builder()
        .messageId(safeShort(original.getMessageId()))
        .type(safeShort(original.getType()))
        .contentType(safeShort(original.getContentType()))
        .contentEncoding(safeShort(original.getContentEncoding()))
        .correlationId(safeShort(original.getCorrelationId()))
        .appId(safeShort(original.getAppId()))
        .timestamp(original.getTimestamp())
        .deliveryMode(PERSISTENT);
  }

  private static Map<String, Object> safeHeaders(BasicProperties original) {
    Map<String, Object> safe = new HashMap<>();
    if (original.getHeaders() == null || original.getHeaders().size() > MAX_HEADERS) {
      return safe;
    }
    long bytes = 0;
    for (Map.Entry<String, Object> header : original.getHeaders().entrySet()) {
      String name = header.getKey();
      Object value = header.getValue();
      // A LongString is written byte by byte as it was read, so it cannot grow.
      boolean fits =
          value instanceof LongString
              || value instanceof Integer
              || value instanceof Long
              || value instanceof Short;
      bytes += name.length() + (value instanceof LongString text ? text.length() : Long.BYTES);
      if (fits && isOurs(name) && bytes <= MAX_HEADER_BYTES) {
        safe.put(name, value);
      }
    }
    return safe;
  }

  /** Not CC, BCC or x-*: those would steer the broker when the message is published again. */
  private static boolean isOurs(String name) {
    boolean known =
        name.startsWith("ddd-") || name.startsWith("cloudEvents_") || name.equals("traceparent");
    return known && !name.startsWith(PARKED) && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static void put(Map<String, Object> headers, String name, @Nullable Object value) {
    if (value != null) {
      headers.put(name, value.toString());
    }
  }

  private static @Nullable String text(Map<String, Object> headers, String name) {
    Object value = headers.get(name);
    boolean readable =
        value instanceof LongString || value instanceof String || value instanceof Integer;
    return readable ? String.valueOf(value) : null;
  }

  private static ParkReason reason(@Nullable String name) {
    for (ParkReason reason : ParkReason.values()) {
      if (reason.name().equals(name)) {
        return reason;
      }
    }
    return ParkReason.DELIVERY_LIMIT;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static @Nullable Instant instant(@Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_DETAIL ? text : text.substring(0, MAX_DETAIL) + "…";
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
