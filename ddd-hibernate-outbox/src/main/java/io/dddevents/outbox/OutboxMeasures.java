// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the tables hold, counted seldom and never far: each statement stops at {@link #MOST} rows.
 * Never throws; what is not known is not there.
 */
final class OutboxMeasures {

  static final int MOST = 100_000;

  private static final int NEAR = 10_000;
  private static final int PATIENCE_SECONDS = 5;

  private final DataSource dataSource;
  private final SqlDialect dialect;
  private final LongSupplier nanoTime;
  private final String pending;
  private final String failed;
  private final String oldest;
  private final String stuck;

  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile Measured last = new Measured(null, 0);

  /**
   * What was found.
   *
   * @param pending events not published yet, at most {@link #MOST}
   * @param failed events that wait for an operator, at most {@link #MOST}
   * @param lag how old the oldest unpublished event is; zero if there is none
   * @param stuck how old the oldest is that nothing keeps from being published
   */
  record Counts(long pending, long failed, Duration lag, Duration stuck) {}

  private record Measured(@Nullable Counts counts, long atNanos) {}

  OutboxMeasures(
      DataSource dataSource, SqlDialect dialect, OutboxNames names, LongSupplier nanoTime) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.nanoTime = nanoTime;
    String events = names.qualified("outbox_event");
    String failures = names.qualified("outbox_failed");
    this.pending = bounded(events);
    this.failed = bounded(failures);
    String age = dialect.microsUntil("created_at");
    this.oldest = "select " + age + " from " + events + " order by id limit 1";
    this.stuck =
        "select "
            + age
            + " from (select id, created_at, next_attempt_at, aggregate_type, aggregate_id from "
            + events
            + " order by id limit "
            + NEAR
            + ") e where (next_attempt_at is null or next_attempt_at <= "
            + dialect.now()
            + ") and not exists (select 1 from "
            + failures
            + " f where f.blocks and f.aggregate_type = e.aggregate_type"
            + " and f.aggregate_id = e.aggregate_id and f.id < e.id) order by id limit 1";
  }

  /** What was found no longer ago than that, or just now; null if the database does not answer. */
  @Nullable Counts atMost(Duration age) {
    Measured known = last;
    boolean fresh = nanoTime.getAsLong() - known.atNanos() < age.toNanos();
    if (fresh && known.atNanos() != 0) {
      return known.counts();
    }
    if (!refreshing.tryLock()) {
      return known.counts();
    }
    try {
      known = new Measured(measure(), nanoTime.getAsLong());
      last = known;
      return known.counts();
    } finally {
      refreshing.unlock();
    }
  }

  private @Nullable Counts measure() {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      dialect.limit(statement, PATIENCE_SECONDS);
      return new Counts(
          number(statement, pending),
          number(statement, failed),
          age(statement, oldest),
          age(statement, stuck));
    } catch (SQLException | RuntimeException e) {
      // Whoever asks is told that nothing is known; the relay's threads report the cause.
      return null;
    }
  }

  private static String bounded(String table) {
    return "select count(*) from (select 1 as one from " + table + " limit " + MOST + ") t";
  }

  private static Duration age(Statement statement, String sql) throws SQLException {
    long micros = Math.max(0, -number(statement, sql));
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }
}
