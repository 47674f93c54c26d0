// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.dddevents.EventRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * A publish that throws inside the client has already counted a sequence number that the broker
 * never sees, and from then on every confirm speaks of the wrong message. So whatever the client
 * would refuse is refused here, before it is called.
 */
/** What AMQP 0-9-1 can carry. */
final class Limits {

  static final int SHORT_STRING_BYTES = 255;

  /** End of frame, frame header, and the fixed part of a content header, with some room. */
  private static final int FRAME_OVERHEAD = 64;

  private Limits() {}

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  static void requireDuration(String name, Duration value, Duration min, Duration max) {
    require(
        value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
        name + " must be from " + min + " to " + max + ", was " + value);
  }

  /** For configuration. */
  static void requireShortString(String name, String value) {
    require(!value.isBlank(), name + " must not be blank");
    int bytes = utf8(value).length;
    require(
        bytes <= SHORT_STRING_BYTES,
        name + " has " + bytes + " bytes; at most " + SHORT_STRING_BYTES + " are allowed");
  }

  /** Words without blanks, control characters or wildcards, separated by single dots. */
  static String requireRoutingKey(@Nullable String key) {
    if (key == null || key.isEmpty()) {
      throw new EventRefusedException("the routing key is empty");
    }
    boolean wordStarts = true;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean emptyWord = c == '.' && (wordStarts || i + 1 == key.length());
      if (emptyWord
          || c == '*'
          || c == '#'
          || Character.isISOControl(c)
          || Character.isWhitespace(c)) {
        throw new EventRefusedException(
            "the routing key has a wrong character or an empty word at position " + i);
      }
      wordStarts = c == '.';
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
      throw new EventRefusedException("the routing key is not valid Unicode");
    }
    requireShort("the routing key", key);
    return key;
  }

  static void requireBody(byte[] body, int maxBytes) {
    if (body.length > maxBytes) {
      throw new EventRefusedException(
          "the payload has " + body.length + " bytes; at most " + maxBytes + " are published");
    }
  }

  /**
   * Everything of the properties that has a limit.
   *
   * @param frameMax as negotiated; 0 means without limit
   */
  static void requireProperties(BasicProperties properties, int frameMax) {
    requireShort("the message id", properties.getMessageId());
    requireShort("the type", properties.getType());
    requireShort("the content type", properties.getContentType());
    requireShort("the application", properties.getAppId());
    requireShort("the correlation id", properties.getCorrelationId());
    long atMost = FRAME_OVERHEAD + 5L * (SHORT_STRING_BYTES + 1);
    for (Map.Entry<String, Object> header : properties.getHeaders().entrySet()) {
      requireShort("a header name", header.getKey());
      Object value = header.getValue();
      if (value instanceof String text) {
        atMost += 3L * text.length();
      } else if (!(value instanceof Integer || value instanceof Long)) {
        throw new EventRefusedException(
            "header '" + header.getKey() + "' is neither a text nor a whole number");
      }
      atMost += 3L * header.getKey().length() + 16;
    }
    // The estimate is cheap and nearly always enough; only a close call is measured.
    if (frameMax > 0 && atMost > frameMax) {
      requireHeaderFrame(properties, frameMax);
    }
  }

  private static void requireHeaderFrame(BasicProperties properties, int frameMax) {
    int size;
    try {
      size = properties.toFrame(1, 0).size();
    } catch (IOException | RuntimeException e) {
      throw new EventRefusedException("the headers cannot be encoded", e);
    }
    if (size > frameMax) {
      throw new EventRefusedException(
          "properties and headers have "
              + size
              + " bytes; the broker's frame takes "
              + frameMax
              + " bytes");
    }
  }

  private static void requireShort(String name, @Nullable String value) {
    // Every char takes at most three bytes, so short values need no encoding to be judged.
    if (value == null || value.length() <= SHORT_STRING_BYTES / 3) {
      return;
    }
    int bytes = utf8(value).length;
    if (bytes > SHORT_STRING_BYTES) {
      throw new EventRefusedException(
          name + " has " + bytes + " bytes; at most " + SHORT_STRING_BYTES + " are allowed");
    }
  }

  private static byte[] utf8(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
