// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes what nobody needs any more: events from the archive, dedupe keys, handled messages. In
 * small batches, each a transaction of its own, so that neither locks nor old snapshots last.
 */
final class Purge implements AutoCloseable {

  static final int BATCH = 1_000;

  private final SqlDialect dialect;
  private final RelayConnection connection;
  private final List<Table> tables;
  private volatile boolean stopped;

  Purge(SqlDialect dialect, OutboxNames names, RelayConfig config, RelayConnection connection) {
    this.dialect = dialect;
    this.connection = connection;
    this.tables =
        List.of(
            new Table(names.qualified("outbox_archive"), "ended_at", config.retention()),
            new Table(names.qualified("outbox_dedupe"), "created_at", config.dedupeRetention()),
            new Table(names.qualified("inbox_message"), "received_at", config.inboxRetention()));
  }

  /** Removes all that is old enough now, or what it gets to before it is stopped. */
  synchronized Purged run() throws SQLException {
    try {
      Purged sum = new Purged(0, 0, 0);
      for (Table table : tables) {
        String sql = delete(table);
        int rows = BATCH;
        while (rows == BATCH && !stopped) {
          rows = batch(sql);
          sum = sum.plus(rows);
        }
      }
      return sum;
    } finally {
      connection.close();
    }
  }

  /** Ends a run after the batch under way; there is none after it. */
  void stop() {
    stopped = true;
  }

  /** Waits for the batch under way. */
  @Override
  public synchronized void close() {
    stopped = true;
    connection.close();
  }

  private int batch(String sql) throws SQLException {
    return connection.call(
        open -> {
          try (PreparedStatement statement = open.prepareStatement(sql)) {
            return statement.executeUpdate();
          }
        });
  }

  private String delete(Table table) {
    String old = table.column() + " < " + dialect.nowPlus(-table.kept().toMillis());
    return switch (dialect) {
      case H2 ->
          "delete from " + table.name() + " where " + old + " fetch first " + BATCH + " rows only";
      case POSTGRESQL ->
          "delete from "
              + table.name()
              + " where ctid = any(array(select ctid from "
              + table.name()
              + " where "
              + old
              + " order by "
              + table.column()
              + " limit "
              + BATCH
              + "))";
      case MARIADB, MYSQL ->
          "delete from "
              + table.name()
              + " where "
              + old
              + " order by "
              + table.column()
              + " limit "
              + BATCH;
    };
  }

  private record Table(String name, String column, Duration kept) {}

  /** What a run removed, in how many batches, and the largest of them. */
  record Purged(long rows, int batches, int largest) {

    private Purged plus(int batch) {
      return new Purged(rows + batch, batches + 1, Math.max(largest, batch));
    }
  }
}
