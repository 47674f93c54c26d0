// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection that a thread of the relay keeps for itself, so that the application's pool can
 * neither starve it nor be starved by it. After an error it is thrown away, and the next call opens
 * another.
 *
 * <p>READ COMMITTED is not a preference: at MariaDB's default the relay's locks abort transactions
 * of the application.
 */
final class RelayConnection implements AutoCloseable {

  private final DataSource dataSource;
  private final SqlDialect dialect;
  private final int isolation;
  private @Nullable Connection connection;

  RelayConnection(DataSource dataSource, SqlDialect dialect) {
    this(dataSource, dialect, Connection.TRANSACTION_READ_COMMITTED);
  }

  private RelayConnection(DataSource dataSource, SqlDialect dialect, int isolation) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.isolation = isolation;
  }

  /** One that sees what is not committed yet, and only ever reads. */
  static RelayConnection dirty(DataSource dataSource, SqlDialect dialect) {
    return new RelayConnection(dataSource, dialect, Connection.TRANSACTION_READ_UNCOMMITTED);
  }

  /** Runs statements each in a transaction of its own. */
  <T> T call(Work<T> work) throws SQLException {
    Connection open = open();
    try {
      return work.call(open);
    } catch (SQLException | RuntimeException | Error e) {
      discard(e);
      throw e;
    }
  }

  /** Runs statements in one transaction. */
  <T> T transaction(Work<T> work) throws SQLException {
    return call(
        open -> {
          open.setAutoCommit(false);
          T result = work.call(open);
          open.commit();
          open.setAutoCommit(true);
          return result;
        });
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = dataSource.getConnection();
      connection = open;
      try {
        prepare(open);
      } catch (SQLException e) {
        discard(e);
        throw e;
      }
    }
    return open;
  }

  private void prepare(Connection open) throws SQLException {
    open.setAutoCommit(true);
    open.setTransactionIsolation(isolation);
    if (open.getTransactionIsolation() != isolation) {
      throw new OutboxException(
          "the relay needs another isolation level than the data source gives: JDBC level "
              + isolation
              + ", not "
              + open.getTransactionIsolation());
    }
    try (Statement statement = open.createStatement()) {
      for (String setting : settings()) {
        statement.execute(setting);
      }
    }
  }

  private List<String> settings() {
    return switch (dialect) {
      case H2 -> List.of("set lock_timeout 5000");
      // The statistics of a queue are always wrong: only the ordered walk over the primary key may
      // be
      // chosen, or a plan made for an empty table reads and sorts the whole backlog.
      case POSTGRESQL ->
          List.of(
              "set statement_timeout = '30s'",
              "set lock_timeout = '5s'",
              "set idle_in_transaction_session_timeout = '30s'",
              "set synchronous_commit = on",
              "set enable_seqscan = off",
              "set enable_bitmapscan = off",
              "set enable_sort = off");
      case MARIADB, MYSQL -> List.of("set session innodb_lock_wait_timeout = 5");
    };
  }

  private void discard(Throwable cause) {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      try (broken) {
        if (!broken.getAutoCommit()) {
          broken.rollback();
          broken.setAutoCommit(true);
        }
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It is going away, and nothing is open on it.
      }
    }
  }

  /** Work on a connection. */
  interface Work<T> {
    T call(Connection connection) throws SQLException;
  }
}
