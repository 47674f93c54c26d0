// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Headers as text for one column: {@code name=value&name=value}, encoded as in a web form. Plain
 * ASCII, so no database changes it; readable for an operator; and it needs no JSON library.
 */
final class HeaderText {

  private HeaderText() {}

  static @Nullable String encode(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    headers.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, UTF_8)));
    return text.toString();
  }

  /** Throws {@link IllegalArgumentException} if the text is not what {@link #encode} made. */
  static Map<String, String> decode(@Nullable String text) {
    Map<String, String> headers = new TreeMap<>();
    if (text == null) {
      return headers;
    }
    for (String header : text.split("&", -1)) {
      int equals = header.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("a header has no name");
      }
      headers.put(
          header.substring(0, equals), URLDecoder.decode(header.substring(equals + 1), UTF_8));
    }
    return headers;
  }
}
