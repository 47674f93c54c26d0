// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Flat JSON objects whose values are texts or null: enough for the failure file and a webhook. */
final class Json {

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static String write(Map<String, @Nullable String> fields) {
    StringBuilder out = new StringBuilder("{");
    fields.forEach(
        (name, value) -> {
          out.append(out.length() == 1 ? "" : ",");
          quote(out, name);
          out.append(':');
          if (value == null) {
            out.append("null");
          } else {
            quote(out, value);
          }
        });
    return out.append('}').toString();
  }

  /** Throws {@link IllegalArgumentException} if the text is not such an object. */
  static Map<String, @Nullable String> read(String text) {
    return new Json(text).object();
  }

  private static void quote(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        // Plain ASCII, so that no tool on the way changes it and a line is always a line.
        out.append("\\u").append(String.format("%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private Map<String, @Nullable String> object() {
    Map<String, @Nullable String> fields = new LinkedHashMap<>();
    expect('{');
    while (peek() != '}') {
      if (!fields.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      if (peek() == 'n' && text.startsWith("null", at)) {
        at += 4;
        fields.put(name, null);
      } else {
        fields.put(name, string());
      }
    }
    expect('}');
    if (!text.substring(at).isBlank()) {
      throw broken();
    }
    return fields;
  }

  private String string() {
    expect('"');
    StringBuilder value = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      value.append(c == '\\' ? escaped(next()) : c);
    }
    return value.toString();
  }

  private char escaped(char c) {
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw broken();
        }
        at += 4;
        yield (char) Integer.parseInt(text, at - 4, at, 16);
      }
      default -> throw broken();
    };
  }

  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    if (at >= text.length()) {
      throw broken();
    }
    return text.charAt(at);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw broken();
    }
    at++;
  }

  private char next() {
    if (at >= text.length()) {
      throw broken();
    }
    return text.charAt(at++);
  }

  private IllegalArgumentException broken() {
    return new IllegalArgumentException("not a flat JSON object at character " + at);
  }
}
