// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a database server is, and who may create databases on it. */
record ServerUrl(
    String base, String adminDatabase, String parameters, String user, String password) {
  private static final Pattern SHAPE =
      Pattern.compile("(jdbc:(?:postgresql|mariadb)://[^/?]+/)([^?]*)(?:\\?(.*))?");

  /** Reads a JDBC URL whose parameters hold the credentials. */
  static ServerUrl parse(String url) {
    Matcher matcher = SHAPE.matcher(url);
    if (!matcher.matches()) {
      // The URL holds a password, so the message does not quote it.
      throw new IllegalArgumentException(
          "the URL of the test database must look like"
              + " jdbc:postgresql://host:port/database?user=..&password=..");
    }
    String user = "";
    String password = "";
    List<String> others = new ArrayList<>();
    String query = matcher.group(3) == null ? "" : matcher.group(3);
    for (String parameter : Pattern.compile("&").splitAsStream(query).toList()) {
      if (parameter.startsWith("user=")) {
        user = parameter.substring("user=".length());
      } else if (parameter.startsWith("password=")) {
        password = parameter.substring("password=".length());
      } else if (!parameter.isEmpty()) {
        others.add(parameter);
      }
    }
    return new ServerUrl(
        matcher.group(1), matcher.group(2), String.join("&", others), user, password);
  }

  static ServerUrl of(String url, String user, String password) {
    ServerUrl parsed = parse(url);
    return new ServerUrl(parsed.base, parsed.adminDatabase, parsed.parameters, user, password);
  }

  String database(String name) {
    return base + name + (parameters.isEmpty() ? "" : "?" + parameters);
  }

  String admin() {
    return database(adminDatabase);
  }
}
