// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import io.dddevents.WireName;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The SQL of the relay: read, acknowledge, put off, fail. Every change names the relay that must
 * still own the lane, so one that has lost its lease changes nothing.
 */
final class RelayStore {

  private static final String EVENT_COLUMNS =
      "event_id, lane, tenant, aggregate_type, aggregate_id, aggregate_version, event_type,"
          + " event_version, occurred_at, correlation_id, causation_id, traceparent, dedupe_key,"
          + " headers, content_type, payload, sha256";

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

  /** Rows of the given lanes after a position, up to and including another, in order. */
  List<RelayRow> read(
      Connection connection, Map<Integer, Long> lanes, long after, long upTo, int limit)
      throws SQLException {
    String sql =
        select(lanes) + " and id > " + after + " and id <= " + upTo + " order by id limit " + limit;
    List<RelayRow> result = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        result.add(row(rows, lanes));
      }
    }
    return result;
  }

  /** The same to the end, and, on PostgreSQL, which transactions had not ended at that moment. */
  Page readForward(Connection connection, Map<Integer, Long> lanes, long after, int limit)
      throws SQLException {
    if (dialect != SqlDialect.POSTGRESQL) {
      return new Page(read(connection, lanes, after, Long.MAX_VALUE, limit), "");
    }
    // One statement, so that rows and snapshot are of the same moment; one row at least.
    String sql =
        "select e.*, s.snapshot from (select cast(pg_current_snapshot() as text) as snapshot) s"
            + " left join lateral ("
            + select(lanes)
            + " and id > "
            + after
            + " order by id limit "
            + limit
            + ") e on true";
    List<RelayRow> result = new ArrayList<>(limit);
    String snapshot = "";
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        snapshot = rows.getString(21);
        if (rows.getObject(1) != null) {
          result.add(row(rows, lanes));
        }
      }
    }
    result.sort(Comparator.comparingLong(RelayRow::id));
    return new Page(result, snapshot);
  }

  /** Positions only. */
  List<Long> ids(Connection connection, Map<Integer, Long> lanes, long after, long upTo)
      throws SQLException {
    return ids(connection, lanes, "id > " + after + " and id <= " + upTo);
  }

  /** Of the given positions, those where a row is. */
  List<Long> ids(Connection connection, Map<Integer, Long> lanes, Collection<Long> some)
      throws SQLException {
    return ids(connection, lanes, LaneStore.in("id", some));
  }

  private List<Long> ids(Connection connection, Map<Integer, Long> lanes, String which)
      throws SQLException {
    String sql =
        "select id from "
            + events
            + " where "
            + LaneStore.in("lane", lanes.keySet())
            + " and "
            + which
            + " order by id";
    List<Long> result = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        result.add(rows.getLong(1));
      }
    }
    return result;
  }

  List<RelayRow> rows(Connection connection, Map<Integer, Long> lanes, Collection<Long> some)
      throws SQLException {
    List<RelayRow> result = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement(
                select(lanes) + " and " + LaneStore.in("id", some) + " order by id");
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        result.add(row(rows, lanes));
      }
    }
    return result;
  }

  private String select(Map<Integer, Long> lanes) {
    return "select id, "
        + EVENT_COLUMNS
        + ", attempts, "
        + dialect.microsUntil("next_attempt_at")
        + " as wait_micros from "
        + events
        + " where "
        + LaneStore.in("lane", lanes.keySet());
  }

  /** Ends published events. Returns how many; fewer than given means that a lease was lost. */
  int acknowledge(RelayConnection connection, Collection<Long> ids) throws SQLException {
    String these = LaneStore.in("id", ids);
    String delete = "delete from " + events + " where " + these + owned;
    if (!keep) {
      return connection.call(open -> update(open, delete));
    }
    String copied = "id, " + EVENT_COLUMNS + ", attempts, status, created_at, ended_at";
    String source =
        "id, " + EVENT_COLUMNS + ", attempts + 1, 'PROCESSED', created_at, " + dialect.now();
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
                      + EVENT_COLUMNS
                      + ", attempts, cause, first_error, last_error, created_at, failed_at, blocks)"
                      + " select id, "
                      + EVENT_COLUMNS
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
    String columns = "id, " + EVENT_COLUMNS + ", created_at";
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
            type == null ? dialect.readUuid(rows, 3).toString() : key(type, rows.getString(5));
        result.add(new Retried(rows.getLong(1), rows.getInt(2), key));
      }
    }
    return result;
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
            result.put(key(rows.getString(1), rows.getString(2)), rows.getLong(3));
          }
        }
      }
    }
    return result;
  }

  static String key(String aggregateType, String aggregateId) {
    return aggregateType + '\n' + aggregateId;
  }

  private RelayRow row(ResultSet rows, Map<Integer, Long> lanes) throws SQLException {
    long id = rows.getLong(1);
    UUID eventId = dialect.readUuid(rows, 2);
    int lane = rows.getInt(3);
    String type = rows.getString(8);
    String aggregateType = rows.getString(5);
    String aggregateId = rows.getString(6);
    String key = aggregateType == null ? eventId.toString() : key(aggregateType, aggregateId);
    int attempts = rows.getInt(19);
    long wait = Math.max(0, rows.getLong(20));
    long epoch = lanes.getOrDefault(lane, -1L);
    try {
      EventEnvelope envelope = envelope(rows, eventId, type, aggregateType, aggregateId);
      boolean whole = MessageDigest.isEqual(envelope.sha256(), rows.getBytes(18));
      return new RelayRow(
          id,
          lane,
          epoch,
          eventId,
          type,
          key,
          envelope,
          whole ? null : "hash does not match",
          attempts,
          wait);
    } catch (RuntimeException e) {
      // Whatever a damaged row brings up must not stop the others.
      return new RelayRow(
          id, lane, epoch, eventId, type, key, null, e.getClass().getSimpleName(), attempts, wait);
    }
  }

  private EventEnvelope envelope(
      ResultSet rows, UUID eventId, String type, String aggregateType, String aggregateId)
      throws SQLException {
    long version = rows.getLong(7);
    Long present = rows.wasNull() ? null : version;
    return EventEnvelope.builder(eventId, new WireName(type, rows.getInt(9)))
        .aggregate(
            aggregateType == null ? null : new Aggregate(aggregateType, aggregateId, present))
        .occurredAt(dialect.readInstant(rows, 10))
        .context(
            new EventContext(
                rows.getString(4),
                rows.getString(11),
                rows.getString(12),
                rows.getString(13),
                HeaderText.decode(rows.getString(15))))
        .dedupeKey(rows.getString(14))
        .payload(rows.getString(16), rows.getBytes(17))
        .build();
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

  /**
   * Rows in order, and the moment they were read at.
   *
   * @param rows the rows
   * @param snapshot PostgreSQL's text of it; empty elsewhere
   */
  record Page(List<RelayRow> rows, String snapshot) {}
}
