// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import io.dddevents.EventEnvelope;
import io.dddevents.EventIds;
import io.dddevents.WireName;
import io.dddevents.testsupport.Database;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Puts events into an outbox without Hibernate, and looks at its tables. */
final class OutboxRows {

  private final Database database;
  private final OutboxStore store;
  private final List<EventEnvelope> stored = new ArrayList<>();

  OutboxRows(Database database) throws SQLException {
    this.database = database;
    try (Connection connection = database.connect()) {
      OutboxSchema.forDatabase(connection).apply(connection);
      this.store = new OutboxStore(SqlDialect.of(connection.getMetaData()), OutboxNames.defaults());
    }
  }

  /** One transaction; the payload is the text itself. */
  void store(String type, String id, String... texts) {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      store(connection, type, id, texts);
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void store(Connection connection, String type, String id, String... texts) throws SQLException {
    List<EventEnvelope> envelopes = new ArrayList<>();
    for (String text : texts) {
      envelopes.add(
          EventEnvelope.builder(EventIds.next(), new WireName("test.happened", 1))
              .aggregate(new Aggregate(type, id, null))
              .occurredAt(Instant.parse("2026-11-18T10:00:00.123456Z"))
              .payload("text/plain", text.getBytes(StandardCharsets.UTF_8))
              .build());
    }
    stored.addAll(envelopes);
    store.insert(connection, envelopes, OutboxSchema.DEFAULT_LANES);
  }

  EventEnvelope last() {
    return stored.get(stored.size() - 1);
  }

  /** Changes a byte of the payload behind the back of the hash. */
  void damage(String aggregateType) throws SQLException {
    try (Connection connection = database.connect();
        var statement =
            connection.prepareStatement(
                "update outbox_event set payload = ? where aggregate_type = ?")) {
      statement.setBytes(1, "damaged".getBytes(StandardCharsets.UTF_8));
      statement.setString(2, aggregateType);
      statement.executeUpdate();
    }
  }

  /** What an operator's retry does: it asks; the relay that owns the lane moves the row back. */
  void retryFailed() {
    sql("update outbox_failed set retry_at = failed_at");
  }

  /** As if the lease had run out, without waiting for it. */
  void expire(OutboxRelay relay) {
    sql(
        "update outbox_lane set locked_until = '2000-01-01 00:00:00' where locked_by = '"
            + relay.name()
            + "'",
        "delete from outbox_relay where relay = '" + relay.name() + "'");
  }

  long lanesOf(OutboxRelay relay) {
    return Long.parseLong(
        texts(
                "select cast(count(*) as char(9)) from outbox_lane where locked_by = '"
                    + relay.name()
                    + "'")
            .get(0)
            .strip());
  }

  long count(String table) {
    return Long.parseLong(texts("select cast(count(*) as char(9)) from " + table).get(0).strip());
  }

  List<String> texts(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> result = new ArrayList<>();
      while (rows.next()) {
        result.add(rows.getString(1));
      }
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void sql(String... statements) {
    database.execute(statements);
  }

  void clear() {
    sql(
        "delete from outbox_event",
        "delete from outbox_failed",
        "delete from outbox_archive",
        "delete from outbox_relay",
        "update outbox_lane set locked_by = null, locked_until = null");
  }
}
