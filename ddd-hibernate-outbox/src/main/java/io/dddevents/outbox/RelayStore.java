// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The SQL by which the relay changes something: acknowledge, put off, fail, retry. Every change
 * names the relay that must still own the lane, so one that has lost its lease changes nothing.
 */
final class RelayStore {

  private final SqlDialect dialect;
  private final String relay;
  private final String events;
  private final String failed;
  private final String archive;
  private final String owned;
  private final String lockLanes;
  private final boolean keep;

  RelayStore(SqlDialect dialect, OutboxNames names, String relay, Duration retention) {
    this.dialect = dialect;
    this.relay = relay;
    this.events = names.qualified("outbox_event");
    this.failed = names.qualified("outbox_failed");
    this.archive = names.qualified("outbox_archive");
    String lanes = names.qualified("outbox_lane");
    this.owned = " and lane in (select lane from " + lanes + " where locked_by = ?)";
    this.lockLanes = "select lane from " + lanes + " where locked_by = ? for update";
    this.keep = !retention.isZero();
  }

  /** Ends published events. Returns how many; fewer than given means that a lease was lost. */
  int acknowledge(RelayConnection connection, Collection<Long> ids) throws SQLException {
    String these = LaneStore.in("id", ids);
    String delete = "delete from " + events + " where " + these + owned;
    if (!keep) {
      return connection.call(open -> update(open, delete));
    }
    String copied = "id, " + RelayReads.EVENT_COLUMNS + ", attempts, status, created_at, ended_at";
    String source =
        "id, "
            + RelayReads.EVENT_COLUMNS
            + ", attempts + 1, 'PROCESSED', created_at, "
            + dialect.now();
    if (dialect == SqlDialect.POSTGRESQL) {
      return connection.call(
          open ->
              update(
                  open,
                  "with gone as ("
                      + delete
                      + " returning *) insert into "
                      + archive
                      + " ("
                      + copied
                      + ") select "
                      + source
                      + " from gone"));
    }
    return connection.transaction(
        open -> {
          // Nobody can take a lane between the copy and the deletion.
          lock(open);
          update(
              open,
              "insert into "
                  + archive
                  + " ("
                  + copied
                  + ") select "
                  + source
                  + " from "
                  + events
                  + " where "
                  + these
                  + owned);
          return update(open, delete);
        });
  }

  /** Counts a failed attempt and puts the next one off. Returns false if the lease was lost. */
  boolean putOff(RelayConnection connection, RelayRow row, String error, Duration delay)
      throws SQLException {
    return connection.call(
        open -> {
          try (PreparedStatement statement =
              open.prepareStatement(
                  "update "
                      + events
                      + " set attempts = attempts + 1, next_attempt_at = "
                      + dialect.nowPlus(delay.toMillis())
                      + ", first_error = coalesce(first_error, ?), last_error = ? where id = ?"
                      + " and attempts = ?"
                      + owned)) {
            statement.setString(1, error);
            statement.setString(2, error);
            statement.setLong(3, row.id());
            statement.setInt(4, row.attempts());
            statement.setString(5, relay);
            return statement.executeUpdate() == 1;
          }
        });
  }

  /** Moves an event to the Failed ones. Returns false if the lease was lost. */
  boolean fail(RelayConnection connection, RelayRow row, String cause, String error, boolean blocks)
      throws SQLException {
    return connection.transaction(
        open -> {
          lock(open);
          try (PreparedStatement statement =
              open.prepareStatement(
                  "insert into "
                      + failed
                      + " (id, "
                      + RelayReads.EVENT_COLUMNS
                      + ", attempts, cause, first_error, last_error, created_at, failed_at, blocks)"
                      + " select id, "
                      + RelayReads.EVENT_COLUMNS
                      + ", attempts + 1, ?, coalesce(first_error, ?), ?, created_at, "
                      + dialect.now()
                      + ", "
                      + blocks
                      + " from "
                      + events
                      + " where id = ? and attempts = ?"
                      + owned)) {
            statement.setString(1, cause);
            statement.setString(2, error);
            statement.setString(3, error);
            statement.setLong(4, row.id());
            statement.setInt(5, row.attempts());
            statement.setString(6, relay);
            if (statement.executeUpdate() == 0) {
              return false;
            }
          }
          return update(open, "delete from " + events + " where id = " + row.id() + owned) == 1;
        });
  }

  /**
   * Moves events back into the outbox, to their old positions, for which an operator wants a retry.
   * The owner of the lane does it and nobody else, so that it knows of the row before anything
   * behind it goes out. Returns position, lane and aggregate of each.
   */
  List<Retried> retry(RelayConnection connection, Map<Integer, Long> lanes) throws SQLException {
    List<Retried> wanted = connection.call(open -> retriesWanted(open, lanes));
    if (wanted.isEmpty()) {
      return wanted;
    }
    String these = LaneStore.in("id", wanted.stream().map(Retried::id).toList());
    String columns = "id, " + RelayReads.EVENT_COLUMNS + ", created_at";
    connection.transaction(
        open -> {
          lock(open);
          update(
              open,
              "insert into "
                  + events
                  + " ("
                  + columns
                  + ", first_error, last_error) select "
                  + columns
                  + ", first_error, last_error from "
                  + failed
                  + " where "
                  + these
                  + owned);
          return update(open, "delete from " + failed + " where " + these + owned);
        });
    return wanted;
  }

  private List<Retried> retriesWanted(Connection connection, Map<Integer, Long> lanes)
      throws SQLException {
    List<Retried> result = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select id, lane, event_id, aggregate_type, aggregate_id from "
                    + failed
                    + " where retry_at is not null and "
                    + LaneStore.in("lane", lanes.keySet())
                    + " limit 500");
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        String type = rows.getString(4);
        String key =
            type == null
                ? dialect.readUuid(rows, 3).toString()
                : RelayReads.key(type, rows.getString(5));
        result.add(new Retried(rows.getLong(1), rows.getInt(2), key));
      }
    }
    return result;
  }

  /** What to write of an event that its table refuses; empty if the lease was lost. */
  Optional<FailureRecord> failure(
      RelayConnection connection, RelayRow row, String cause, String error, boolean blocks)
      throws SQLException {
    String sql =
        "select "
            + StoredEvent.COLUMNS
            + ", "
            + dialect.now()
            + " from "
            + events
            + " where id = "
            + row.id()
            + owned;
    return connection.call(
        open -> {
          try (PreparedStatement statement = open.prepareStatement(sql)) {
            statement.setString(1, relay);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next()
                  ? Optional.of(
                      new FailureRecord(
                          StoredEvent.read(dialect, rows),
                          cause,
                          error,
                          dialect.readInstant(rows, StoredEvent.COUNT + 1),
                          blocks))
                  : Optional.empty();
            }
          }
        });
  }

  /** Removes an event that something else has taken. Returns false if the lease was lost. */
  boolean remove(RelayConnection connection, RelayRow row) throws SQLException {
    return connection.call(
        open -> update(open, "delete from " + events + " where id = " + row.id() + owned) == 1);
  }

  /** Puts an event off without counting an attempt. Returns false if the lease was lost. */
  boolean defer(RelayConnection connection, RelayRow row, String error, Duration delay)
      throws SQLException {
    return connection.call(
        open -> {
          try (PreparedStatement statement =
              open.prepareStatement(
                  "update "
                      + events
                      + " set next_attempt_at = "
                      + dialect.nowPlus(delay.toMillis())
                      + ", last_error = ? where id = ?"
                      + owned)) {
            statement.setString(1, error);
            statement.setLong(2, row.id());
            statement.setString(3, relay);
            return statement.executeUpdate() == 1;
          }
        });
  }

  boolean anyBlocked(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("select 1 from " + failed + " where blocks limit 1");
        ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  /** Of the given aggregates, those that a Failed event holds back, and the first such position. */
  Map<String, Long> blocked(Connection connection, List<String> aggregates) throws SQLException {
    Map<String, Long> result = new HashMap<>();
    for (int i = 0; i < aggregates.size(); i += 100) {
      List<String> some = aggregates.subList(i, Math.min(i + 100, aggregates.size()));
      String these =
          String.join(
              " or ", some.stream().map(k -> "(aggregate_type = ? and aggregate_id = ?)").toList());
      try (PreparedStatement statement =
          connection.prepareStatement(
              "select aggregate_type, aggregate_id, min(id) from "
                  + failed
                  + " where blocks and ("
                  + these
                  + ") group by aggregate_type, aggregate_id")) {
        int index = 1;
        for (String key : some) {
          int end = key.indexOf('\n');
          statement.setString(index++, key.substring(0, end));
          statement.setString(index++, key.substring(end + 1));
        }
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            result.put(RelayReads.key(rows.getString(1), rows.getString(2)), rows.getLong(3));
          }
        }
      }
    }
    return result;
  }

  private void lock(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lockLanes)) {
      statement.setString(1, relay);
      statement.executeQuery().close();
    }
  }

  /** Runs a statement whose one parameter is the relay. */
  private int update(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, relay);
      return statement.executeUpdate();
    }
  }

  /**
   * An event that is in the outbox again.
   *
   * @param id its position
   * @param lane its lane
   * @param aggregate what its order depends on
   */
  record Retried(long id, int lane, String aggregate) {}
}
