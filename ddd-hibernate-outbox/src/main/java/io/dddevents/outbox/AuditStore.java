// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what operators did, on the connection that does it. The time is the database's. */
final class AuditStore {

  private final String audit;

  AuditStore(OutboxNames names) {
    this.audit = names.qualified("outbox_audit");
  }

  void write(Connection connection, Operator operator, String action, List<Entry> entries)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into "
                + audit
                + " (actor, action, target, reason, state_before, state_after, result)"
                + " values (?, ?, ?, ?, ?, ?, ?)")) {
      for (Entry entry : entries) {
        statement.setString(1, operator.who());
        statement.setString(2, action);
        statement.setString(3, clip(entry.target(), 200));
        statement.setString(4, operator.why());
        SqlDialect.bindText(statement, 5, clip(entry.before()));
        SqlDialect.bindText(statement, 6, clip(entry.after()));
        statement.setString(7, clip(entry.result(), 500));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  void write(Connection connection, Operator operator, String action, Entry entry)
      throws SQLException {
    write(connection, operator, action, List.of(entry));
  }

  /** Whether somebody has done this before, with success. */
  boolean wasDone(Connection connection, String action, String target) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select 1 from "
                + audit
                + " where action = ? and target = ? and result = 'DONE' limit 1")) {
      statement.setString(1, action);
      statement.setString(2, target);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  private static @Nullable String clip(@Nullable String text) {
    return text == null ? null : clip(text, 500);
  }

  private static String clip(String text, int most) {
    // PostgreSQL takes no NUL, and an attempt that is refused for it must be audited all the same.
    String clean = text.replace('\0', '?');
    return clean.length() <= most ? clean : clean.substring(0, most - 1) + "…";
  }

  /** One line of the audit. */
  record Entry(String target, @Nullable String before, @Nullable String after, String result) {}
}
