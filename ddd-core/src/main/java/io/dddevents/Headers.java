// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Rules for the free headers of an event. */
final class Headers {

  private static final int TRACEPARENT_LENGTH = 55;

  private Headers() {}

  /** A checked, sorted, unmodifiable copy. Sorted, because the hash covers the headers in order. */
  static Map<String, String> checked(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Map.of();
    }
    if (headers.size() > EventLimits.HEADER_COUNT) {
      throw new EventRefusedException(
          headers.size() + " headers; at most " + EventLimits.HEADER_COUNT + " are allowed");
    }
    TreeMap<String, String> copy = new TreeMap<>(headers);
    long bytes = 0;
    for (Map.Entry<String, String> header : copy.entrySet()) {
      requireName(header.getKey());
      Text.requireWellFormed("header " + Text.quoted(header.getKey()), header.getValue());
      bytes += header.getKey().length() + (long) Text.utf8Length(header.getValue());
    }
    Text.requireBytes("all headers together", bytes, EventLimits.HEADERS_BYTES);
    return Collections.unmodifiableMap(copy);
  }

  static Map<String, String> merged(Map<String, String> base, Map<String, String> over) {
    if (over.isEmpty()) {
      return base;
    }
    Map<String, String> both = new TreeMap<>(base);
    both.putAll(over);
    return both;
  }

  static void requireTraceparent(String value) {
    boolean right = value.length() == TRACEPARENT_LENGTH;
    for (int i = 0; right && i < TRACEPARENT_LENGTH; i++) {
      char c = value.charAt(i);
      boolean dash = i == 2 || i == 35 || i == 52;
      right = dash ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    if (!right) {
      throw new EventRefusedException(
          "traceparent is not of the W3C form '00-<32 hex>-<16 hex>-<2 hex>' in lower case");
    }
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.length() > EventLimits.HEADER_NAME_LENGTH) {
      throw new EventRefusedException(
          "a header name has "
              + name.length()
              + " characters; 1 to "
              + EventLimits.HEADER_NAME_LENGTH
              + " are allowed");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Text.isAsciiAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
        throw new EventRefusedException(
            "header name "
                + Text.quoted(name)
                + " has a wrong character at position "
                + i
                + "; use letters, digits, '-', '_' and '.'");
      }
    }
    String lower = name.toLowerCase(Locale.ROOT);
    // RabbitMQ routes by CC and BCC and acts upon x-*: event data must not steer the broker.
    if (lower.equals("cc") || lower.equals("bcc") || lower.startsWith("x-")) {
      throw new EventRefusedException(
          "header " + Text.quoted(name) + " is interpreted by the broker; choose another name");
    }
    if (lower.startsWith("ddd-")
        || lower.startsWith("cloudevents")
        || lower.equals("traceparent")) {
      throw new EventRefusedException(
          "header " + Text.quoted(name) + " is set by the framework; choose another name");
    }
  }
}
