// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.outbox.AuditStore.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * What operators change. Failed rows are locked before they are moved, so of two operators one
 * moves a row and the other finds it gone; the relay never touches Failed rows.
 */
final class AdminMoves {

  private final SqlDialect dialect;
  private final String failed;
  private final String archive;
  private final String lanes;
  private final String relays;

  AdminMoves(SqlDialect dialect, OutboxNames names) {
    this.dialect = dialect;
    this.failed = names.qualified("outbox_failed");
    this.archive = names.qualified("outbox_archive");
    this.lanes = names.qualified("outbox_lane");
    this.relays = names.qualified("outbox_relay");
  }

  /** Locks Failed events, in order, for the rest of the transaction. */
  List<Locked> lock(Connection connection, Where where, int most) throws SQLException {
    List<Locked> result = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select id, event_id, cause, attempts from "
                + failed
                + where.sql()
                + " and retry_at is null order by id limit "
                + most
                + " for update")) {
      where.bind(statement, 1);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(
              new Locked(
                  rows.getLong(1), dialect.readUuid(rows, 2), rows.getString(3), rows.getInt(4)));
        }
      }
    }
    return result;
  }

  /**
   * Asks for a retry. The relay that owns the lane moves the event back to its old position: if we
   * did, a relay that has never heard of the event could publish what comes after it first.
   */
  List<Entry> retry(Connection connection, List<Locked> rows) throws SQLException {
    update(
        connection,
        rows.size(),
        "update "
            + failed
            + " set retry_at = "
            + dialect.now()
            + " where "
            + LaneStore.in("id", rows.stream().map(Locked::id).toList()));
    return rows.stream().map(row -> row.moved("PENDING attempts=0")).toList();
  }

  /** To the archive, with the reason. */
  List<Entry> discard(Connection connection, List<Locked> rows, String reason) throws SQLException {
    String these = LaneStore.in("id", rows.stream().map(Locked::id).toList());
    String columns = "id, " + RelayReads.EVENT_COLUMNS + ", attempts, created_at";
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into "
                + archive
                + " ("
                + columns
                + ", status, reason, ended_at) select "
                + columns
                + ", 'DISCARDED', ?, "
                + dialect.now()
                + " from "
                + failed
                + " where "
                + these)) {
      statement.setString(1, reason);
      require(rows.size(), statement.executeUpdate());
    }
    update(connection, rows.size(), "delete from " + failed + " where " + these);
    return rows.stream().map(row -> row.moved("DISCARDED")).toList();
  }

  /** Puts an event of the failure file into the Failed table, as it would have stood there. */
  void importFailed(Connection connection, FailureRecord failure) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into "
                + failed
                + " ("
                + StoredEvent.COLUMNS
                + ", cause, first_error, last_error, failed_at, blocks) values ("
                + "?, ".repeat(StoredEvent.COUNT)
                + "?, ?, ?, ?, ?)")) {
      failure.event().bind(dialect, statement);
      int index = StoredEvent.COUNT;
      statement.setString(++index, failure.cause());
      statement.setString(++index, failure.error());
      statement.setString(++index, failure.error());
      dialect.bindInstant(statement, ++index, failure.failedAt());
      statement.setBoolean(++index, failure.blocks());
      statement.executeUpdate();
    }
  }

  /** Lanes of a relay that are locked; locks them for the rest of the transaction. */
  List<Integer> lanesOf(Connection connection, String relay) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select lane from " + lanes + " where locked_by = ? order by lane for update")) {
      statement.setString(1, relay);
      return integers(statement);
    }
  }

  /** Of the given lanes, those that exist; locks them for the rest of the transaction. */
  List<Integer> existing(Connection connection, Collection<Integer> some) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select lane from "
                + lanes
                + " where "
                + LaneStore.in("lane", some)
                + " order by lane for update")) {
      return integers(statement);
    }
  }

  /** A new epoch: whoever owned these lanes changes nothing any more. */
  void release(Connection connection, List<Integer> some) throws SQLException {
    if (!some.isEmpty()) {
      update(
          connection,
          some.size(),
          "update "
              + lanes
              + " set locked_by = null, locked_until = null, epoch = epoch + 1 where "
              + LaneStore.in("lane", some));
    }
  }

  /** Returns whether the relay was known. One that lives comes back with its next heartbeat. */
  boolean forget(Connection connection, String relay) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from " + relays + " where relay = ?")) {
      statement.setString(1, relay);
      return statement.executeUpdate() > 0;
    }
  }

  /** Deletes at most so many rows that are older. */
  int purge(Connection connection, String table, String column, Duration age, int most)
      throws SQLException {
    String old = column + " < " + dialect.nowPlus(-age.toMillis());
    String sql =
        switch (dialect) {
          case POSTGRESQL ->
              "delete from "
                  + table
                  + " where ctid = any(array(select ctid from "
                  + table
                  + " where "
                  + old
                  + " limit "
                  + most
                  + "))";
          case H2 ->
              "delete from " + table + " where " + old + " fetch first " + most + " rows only";
          case MARIADB, MYSQL -> "delete from " + table + " where " + old + " limit " + most;
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.executeUpdate();
    }
  }

  private static List<Integer> integers(PreparedStatement statement) throws SQLException {
    List<Integer> result = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        result.add(rows.getInt(1));
      }
    }
    return result;
  }

  private static void update(Connection connection, int expected, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      require(expected, statement.executeUpdate());
    }
  }

  private static void require(int expected, int found) {
    if (found != expected) {
      throw new OutboxException(
          "an operator's action met " + found + " rows, not " + expected + "; nothing was changed");
    }
  }

  /** A Failed event that this transaction has locked. */
  record Locked(long id, UUID eventId, String cause, int attempts) {

    Entry moved(String after) {
      return new Entry(
          eventId.toString(), "FAILED cause=" + cause + " attempts=" + attempts, after, "DONE");
    }
  }
}
