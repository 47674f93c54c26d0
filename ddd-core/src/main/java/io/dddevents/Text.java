// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks on strings that leave the JVM. Messages name the field and its size, never its value. */
final class Text {

  private Text() {}

  /**
   * Words of letters, digits, {@code _ $ -}, separated by single dots; no regex, so no
   * backtracking.
   */
  static void requireWords(String field, String value, int maxLength) {
    if (value.isEmpty()) {
      throw new EventRefusedException(field + " is empty; give it a name such as 'order.placed'");
    }
    if (value.length() > maxLength) {
      throw new EventRefusedException(
          field + " has " + value.length() + " characters; at most " + maxLength + " are allowed");
    }
    boolean wordStarts = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean inWord = isAsciiAlphanumeric(c) || c == '_' || c == '$' || c == '-';
      boolean separates = c == '.' && !wordStarts && i + 1 < value.length();
      if (!inWord && !separates) {
        throw new EventRefusedException(
            field
                + " "
                + quoted(value)
                + " has a wrong character at position "
                + i
                + "; use words of letters, digits, '_', '$' and '-' separated by single dots");
      }
      wordStarts = !inWord;
    }
  }

  /** Not blank, well-formed, and short enough in UTF-8. */
  static void requireText(String field, String value, int maxBytes) {
    Objects.requireNonNull(value, field);
    if (value.isBlank()) {
      throw new EventRefusedException(field + " is blank; leave it out or give it a value");
    }
    requireWellFormed(field, value);
    requireBytes(field, utf8Length(value), maxBytes);
  }

  static void requireOptionalText(String field, @Nullable String value, int maxBytes) {
    if (value != null) {
      requireText(field, value, maxBytes);
    }
  }

  static void requireBytes(String field, long bytes, long maxBytes) {
    if (bytes > maxBytes) {
      throw new EventRefusedException(
          field + " has " + bytes + " bytes; at most " + maxBytes + " are allowed");
    }
  }

  /** A lone surrogate cannot be written in UTF-8: the JDK would silently put '?' in its place. */
  static void requireWellFormed(String field, String value) {
    int i = 0;
    while (i < value.length()) {
      // A whole pair comes back as one code point; half a pair comes back as itself.
      int codePoint = value.codePointAt(i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw new EventRefusedException(
            field + " has half a surrogate pair at position " + i + "; it is not valid Unicode");
      }
      i += Character.charCount(codePoint);
    }
  }

  static int utf8Length(String value) {
    int bytes = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (Character.isSurrogate(c)) {
        bytes += 2; // half of a pair, which takes four
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }

  static boolean isAsciiAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** For messages and logs: control and other invisible characters escaped, and not too long. */
  static String quoted(String value) {
    StringBuilder out = new StringBuilder("'");
    for (int i = 0; i < Math.min(value.length(), 80); i++) {
      char c = value.charAt(i);
      if (c >= ' ' && c < 0x7f && c != '\'') {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    return out.append(value.length() > 80 ? "…'" : "'").toString();
  }
}
