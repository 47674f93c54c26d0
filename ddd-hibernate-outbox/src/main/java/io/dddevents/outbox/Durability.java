// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Settings of the database under which "committed" or "stored" would not mean what it says. */
final class Durability {

  private Durability() {}

  static List<String> problems(Connection connection, SqlDialect dialect) throws SQLException {
    List<String> problems = new ArrayList<>();
    switch (dialect) {
      case H2 -> h2(connection, problems);
      case MARIADB, MYSQL -> strictMode(connection, problems);
      case POSTGRESQL -> {}
    }
    return problems;
  }

  /** H2 writes a file half a second late by default: a kill loses thousands of commits. */
  private static void h2(Connection connection, List<String> problems) throws SQLException {
    String url = connection.getMetaData().getURL().toLowerCase(Locale.ROOT);
    if (url.startsWith("jdbc:h2:mem:")) {
      return;
    }
    String delay =
        text(
            connection,
            "select setting_value from information_schema.settings"
                + " where setting_name = 'WRITE_DELAY'");
    if (!"0".equals(delay)) {
      problems.add(
          "H2 writes commits "
              + delay
              + " ms late and loses them when the process is killed; add ;WRITE_DELAY=0 to its URL");
    }
  }

  /** Without strict mode MariaDB cuts what is too long and says nothing. */
  private static void strictMode(Connection connection, List<String> problems) throws SQLException {
    String mode = text(connection, "select @@session.sql_mode");
    if (!mode.contains("STRICT_TRANS_TABLES") && !mode.contains("STRICT_ALL_TABLES")) {
      problems.add(
          "sql_mode is not strict, so values would be cut silently; add STRICT_TRANS_TABLES");
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }
}
