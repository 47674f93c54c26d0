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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The SQL by which the relay reads the outbox, and how a row becomes an event again. */
final class RelayReads {

  static final String EVENT_COLUMNS =
      "event_id, lane, tenant, aggregate_type, aggregate_id, aggregate_version, event_type,"
          + " event_version, occurred_at, correlation_id, causation_id, traceparent, dedupe_key,"
          + " headers, content_type, payload, sha256";

  private final SqlDialect dialect;
  private final String events;

  RelayReads(SqlDialect dialect, OutboxNames names) {
    this.dialect = dialect;
    this.events = names.qualified("outbox_event");
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
        result.add(row(dialect, rows, lanes));
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
          result.add(row(dialect, rows, lanes));
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
        result.add(row(dialect, rows, lanes));
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

  static String key(String aggregateType, String aggregateId) {
    return aggregateType + '\n' + aggregateId;
  }

  static RelayRow row(SqlDialect dialect, ResultSet rows, Map<Integer, Long> lanes)
      throws SQLException {
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
      EventEnvelope envelope = envelope(dialect, rows, eventId, type, aggregateType, aggregateId);
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

  private static EventEnvelope envelope(
      SqlDialect dialect,
      ResultSet rows,
      UUID eventId,
      String type,
      String aggregateType,
      String aggregateId)
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

  /**
   * Rows in order, and the moment they were read at.
   *
   * @param rows the rows
   * @param snapshot PostgreSQL's text of it; empty elsewhere
   */
  record Page(List<RelayRow> rows, String snapshot) {}
}
