// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Removes what nobody needs any more: events from the archive, dedupe keys, handled messages. In
 * small batches, each a transaction of its own, so that neither locks nor old snapshots last.
 */
final class Purge implements AutoCloseable {

  static final int BATCH = 1_000;

  private static final int PATIENCE_SECONDS = 30;

  private final SqlDialect dialect;
  private final DataSource dataSource;
  private final List<Table> tables;
  private volatile boolean stopped;

  Purge(SqlDialect dialect, OutboxNames names, RelayConfig config, DataSource dataSource) {
    this.dialect = dialect;
    this.dataSource = dataSource;
    this.tables =
        List.of(
            new Table(names.qualified("outbox_archive"), "ended_at", config.retention()),
            new Table(names.qualified("outbox_dedupe"), "created_at", config.dedupeRetention()),
            new Table(names.qualified("inbox_message"), "received_at", config.inboxRetention()));
  }

  /** Removes all that is old enough now, or what it gets to before it is stopped. */
  synchronized Purged run() throws SQLException {
    if (stopped) {
      return new Purged(0, 0, 0);
    }
    try (Connection connection = dataSource.getConnection()) {
      // The connection goes back to a pool, perhaps the application's, as it came.
      boolean autoCommit = connection.getAutoCommit();
      int isolation = connection.getTransactionIsolation();
      connection.setAutoCommit(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      try {
        return run(connection);
      } finally {
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  private Purged run(Connection connection) throws SQLException {
    Purged sum = new Purged(0, 0, 0);
    for (Table table : tables) {
      try (PreparedStatement statement = connection.prepareStatement(delete(table))) {
        dialect.limit(statement, PATIENCE_SECONDS);
        int rows = BATCH;
        while (rows == BATCH && !stopped) {
          rows = statement.executeUpdate();
          sum = sum.plus(rows);
        }
      }
    }
    return sum;
  }

  /** Ends a run after the batch under way; there is none after it. */
  void stop() {
    stopped = true;
  }

  /** Waits for the batch under way. */
  @Override
  public synchronized void close() {
    stopped = true;
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
