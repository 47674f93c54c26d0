// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators look at. */
final class AdminReads {

  private static final int MOST_GROUPS = 1_000;

  private final SqlDialect dialect;
  private final String events;

  /** An event for which a retry was asked waits for its relay like any other. */
  private static final String FAILED_WORD =
      "case when retry_at is null then 'FAILED' else 'PENDING' end";

  private final String failed;
  private final String archive;
  private final String all;
  private final String processing;

  AdminReads(SqlDialect dialect, OutboxNames names) {
    this.dialect = dialect;
    this.events = names.qualified("outbox_event");
    this.failed = names.qualified("outbox_failed");
    this.archive = names.qualified("outbox_archive");
    this.all = names.qualified("outbox_all");
    // As in the view outbox_all.
    this.processing =
        "exists (select 1 from "
            + names.qualified("outbox_lane")
            + " l where l.lane = e.lane and l.locked_until > "
            + dialect.now()
            + " and e.id <= l.read_up_to)";
  }

  Map<EventStatus, Long> counts(Connection connection) throws SQLException {
    Map<EventStatus, Long> counts = new EnumMap<>(EventStatus.class);
    for (EventStatus status : EventStatus.values()) {
      counts.put(status, 0L);
    }
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select status, count(*) from " + all + " group by status");
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        counts.put(EventStatus.valueOf(rows.getString(1)), rows.getLong(2));
      }
    }
    return counts;
  }

  /** The oldest is the first by position, so this reads one row however many there are. */
  Optional<Duration> lag(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select "
                    + dialect.microsUntil("created_at")
                    + " from "
                    + events
                    + " order by id limit 1");
        ResultSet rows = statement.executeQuery()) {
      return rows.next()
          ? Optional.of(Duration.ofNanos(Math.max(0, -rows.getLong(1)) * 1_000))
          : Optional.empty();
    }
  }

  List<EventSummary> list(Connection connection, EventFilter filter, long after, int size)
      throws SQLException {
    List<String> branches = new ArrayList<>();
    List<Where> conditions = new ArrayList<>();
    EventStatus status = filter.status();
    // Failed first: it gives the types of the columns that the others do not have.
    if (status == null || status == EventStatus.FAILED || status == EventStatus.PENDING) {
      Where where = new Where(dialect).common(filter).failure(filter).after(after);
      where.text(FAILED_WORD, status == null ? null : status.name());
      add(branches, conditions, selectFailed(), where, size);
    }
    if (!filter.speaksOfFailures() && status != EventStatus.FAILED) {
      addUnfailed(branches, conditions, filter, after, size);
    }
    if (branches.isEmpty()) {
      return List.of();
    }
    String sql =
        branches.size() == 1
            ? branches.get(0)
            : "(" + String.join(") union all (", branches) + ") order by id limit " + size;
    List<EventSummary> result = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int index = 1;
      for (Where where : conditions) {
        index = where.bind(statement, index);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(summary(rows));
        }
      }
    }
    return result;
  }

  private void addUnfailed(
      List<String> branches, List<Where> conditions, EventFilter filter, long after, int size) {
    EventStatus status = filter.status();
    boolean waiting = status == EventStatus.PENDING || status == EventStatus.PROCESSING;
    if (status == null || waiting) {
      String word = "case when " + processing + " then 'PROCESSING' else 'PENDING' end";
      Where where = new Where(dialect).common(filter).after(after);
      if (status != null) {
        where.text(word, status.name());
      }
      add(
          branches,
          conditions,
          select(word, "null", "last_error", "next_attempt_at", events),
          where,
          size);
    }
    if (!waiting) {
      Where where = new Where(dialect).common(filter).after(after);
      where.text("status", status == null ? null : status.name());
      add(
          branches,
          conditions,
          select("status", "null", "reason", "ended_at", archive),
          where,
          size);
    }
  }

  Optional<EventSummary> find(Connection connection, UUID eventId) throws SQLException {
    String word = "case when " + processing + " then 'PROCESSING' else 'PENDING' end";
    for (String select :
        List.of(
            selectFailed(),
            select(word, "null", "last_error", "next_attempt_at", events),
            select("status", "null", "reason", "ended_at", archive))) {
      try (PreparedStatement statement =
          connection.prepareStatement(select + " where event_id = ?")) {
        dialect.bindUuid(statement, 1, eventId);
        try (ResultSet rows = statement.executeQuery()) {
          if (rows.next()) {
            return Optional.of(summary(rows));
          }
        }
      }
    }
    return Optional.empty();
  }

  Optional<StoredEvent> stored(Connection connection, EventSummary event) throws SQLException {
    String table =
        switch (event.status()) {
          case PENDING, PROCESSING -> events;
          case FAILED -> failed;
          case PROCESSED, DISCARDED -> archive;
        };
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select " + StoredEvent.COLUMNS + " from " + table + " where id = ?")) {
      statement.setLong(1, event.position());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(StoredEvent.read(dialect, rows)) : Optional.empty();
      }
    }
  }

  List<FailureGroup> groups(Connection connection, EventFilter filter) throws SQLException {
    Where where = new Where(dialect).common(filter).failure(filter);
    List<FailureGroup> result = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select cause, event_type, count(*), min(failed_at), max(failed_at) from "
                + failed
                + where.sql()
                + " and retry_at is null group by cause, event_type order by count(*) desc, cause, event_type limit "
                + MOST_GROUPS)) {
      where.bind(statement, 1);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(
              new FailureGroup(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getLong(3),
                  dialect.readInstant(rows, 4),
                  dialect.readInstant(rows, 5)));
        }
      }
    }
    return result;
  }

  /** Events of the archive, as the relay would read them. */
  List<RelayRow> archived(Connection connection, EventFilter filter, long after, int size)
      throws SQLException {
    EventStatus status = filter.status() == null ? EventStatus.PROCESSED : filter.status();
    Where where = new Where(dialect).common(filter).after(after).text("status", status.name());
    List<RelayRow> result = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select id, "
                + RelayReads.EVENT_COLUMNS
                + ", attempts, 0 from "
                + archive
                + where.sql()
                + " order by id limit "
                + size)) {
      where.bind(statement, 1);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          result.add(RelayReads.row(dialect, rows, Map.of()));
        }
      }
    }
    return result;
  }

  private static void add(
      List<String> branches, List<Where> conditions, String select, Where where, int size) {
    branches.add(select + where.sql() + " order by id limit " + size);
    conditions.add(where);
  }

  private String selectFailed() {
    String failedAt = "case when retry_at is null then failed_at end";
    return select(FAILED_WORD, "cause", "last_error", failedAt, failed)
        .replace("attempts", "case when retry_at is null then attempts else 0 end as attempts");
  }

  private static String select(
      String status, String cause, String error, String moment, String table) {
    return "select id, event_id, "
        + status
        + " as status_word, tenant, aggregate_type, aggregate_id, event_type, event_version,"
        + " occurred_at, created_at, attempts, "
        + cause
        + " as cause_code, "
        + error
        + " as error_text, "
        + moment
        + " as moment from "
        + table
        + " e";
  }

  private EventSummary summary(ResultSet rows) throws SQLException {
    EventStatus status = EventStatus.valueOf(rows.getString(3));
    Instant moment = rows.getObject(14) == null ? null : dialect.readInstant(rows, 14);
    boolean ended = status != EventStatus.PENDING && status != EventStatus.PROCESSING;
    return new EventSummary(
        rows.getLong(1),
        dialect.readUuid(rows, 2),
        status,
        rows.getString(4),
        rows.getString(5),
        rows.getString(6),
        rows.getString(7),
        rows.getInt(8),
        dialect.readInstant(rows, 9),
        dialect.readInstant(rows, 10),
        rows.getInt(11),
        rows.getString(12),
        rows.getString(13),
        unless(ended, moment),
        unless(!ended, moment));
  }

  private static @Nullable Instant unless(boolean not, @Nullable Instant moment) {
    return not ? null : moment;
  }
}
