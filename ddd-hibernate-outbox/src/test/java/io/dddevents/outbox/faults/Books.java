// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.testsupport.Database;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.Assertions;

/**
 * The auditor: reads the bank's tables by plain JDBC in one snapshot and compares ids as sets. A
 * loss and a ghost would cancel each other in a count.
 */
final class Books {

  private final Database database;

  Books(Database database) {
    this.database = database;
  }

  /** Ledger and outbox hold the same events, and the accounts as many moves as the ledger. */
  State assertBalanced() {
    State state = read();
    assertThat(minus(state.ledger(), state.outbox())).as("committed without its event").isEmpty();
    assertThat(minus(state.outbox(), state.ledger())).as("event without its commit").isEmpty();
    assertThat(state.notes()).as("moves of the accounts").isEqualTo(state.moves());
    return state;
  }

  /** Balanced, and nothing but these events. */
  void assertExactly(UUID... eventIds) {
    assertThat(assertBalanced().outbox()).containsExactlyInAnyOrder(eventIds);
  }

  /** Balanced because nothing at all was committed. */
  void assertEmpty() {
    State state = assertBalanced();
    assertThat(state.outbox()).isEmpty();
    assertThat(state.accounts()).isEmpty();
  }

  State read() {
    try (Connection connection = database.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      Set<UUID> ledger = new HashSet<>();
      Map<String, Long> notes = new HashMap<>();
      List<String> whats = new ArrayList<>();
      each(
          connection,
          "select event_id, aggregate, what from ledger_src",
          row -> {
            ledger.add(UUID.fromString(row.getString(1)));
            notes.merge(row.getString(2), 1L, Long::sum);
            whats.add(row.getString(3));
          });
      List<Row> rows = new ArrayList<>();
      each(
          connection,
          "select event_id, id, aggregate_id, aggregate_version from outbox_event order by id",
          row ->
              rows.add(
                  new Row(
                      uuid(row.getObject(1)), row.getLong(2), row.getString(3), row.getLong(4))));
      Map<String, Long> moves = new HashMap<>();
      Set<String> accounts = new HashSet<>();
      each(
          connection,
          "select id, moves from t_account",
          row -> {
            accounts.add(row.getString(1));
            if (row.getLong(2) > 0) {
              moves.put(row.getString(1), row.getLong(2));
            }
          });
      connection.rollback();
      return new State(ledger, notes, whats, rows, moves, accounts);
    } catch (SQLException e) {
      return Assertions.fail("could not read the books of " + database, e);
    }
  }

  void clear() {
    database.execute(
        "delete from ledger_src",
        "delete from outbox_event",
        "delete from outbox_dedupe",
        "delete from t_account");
  }

  static Set<UUID> minus(Set<UUID> from, Set<UUID> what) {
    Set<UUID> rest = new HashSet<>(from);
    rest.removeAll(what);
    return rest;
  }

  private static void each(Connection connection, String sql, RowReader reader)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        reader.read(rows);
      }
    }
  }

  private static UUID uuid(Object value) {
    if (value instanceof byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
    return (UUID) value;
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /** A row of the outbox. */
  record Row(UUID eventId, long id, String account, long version) {}

  /** What the tables held at one moment. */
  record State(
      Set<UUID> ledger,
      Map<String, Long> notes,
      List<String> whats,
      List<Row> rows,
      Map<String, Long> moves,
      Set<String> accounts) {

    Set<UUID> outbox() {
      Set<UUID> ids = new HashSet<>();
      rows.forEach(row -> ids.add(row.eventId()));
      return ids;
    }

    List<Row> rowsOf(String account) {
      return rows.stream().filter(row -> row.account().equals(account)).toList();
    }
  }
}
