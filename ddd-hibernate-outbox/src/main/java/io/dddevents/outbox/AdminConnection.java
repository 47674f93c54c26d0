// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Short transactions at READ COMMITTED for operators, each on a connection of its own, which goes
 * back to its pool as it came.
 */
final class AdminConnection {

  private final DataSource dataSource;
  private final SqlDialect dialect;

  AdminConnection(DataSource dataSource, SqlDialect dialect) {
    this.dataSource = dataSource;
    this.dialect = dialect;
  }

  <T> T transaction(RelayConnection.Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      int isolation = connection.getTransactionIsolation();
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      try {
        limitWaiting(connection);
        T result = work.call(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(connection, e);
        throw e;
      } finally {
        restore(connection, autoCommit, isolation);
      }
    }
  }

  private static void restore(Connection connection, boolean autoCommit, int isolation) {
    try {
      connection.setAutoCommit(autoCommit);
      connection.setTransactionIsolation(isolation);
    } catch (SQLException e) {
      // It is broken, which its pool finds out; what was committed stays so, and must not be
      // reported as failed.
    }
  }

  /** H2 and MariaDB have limits of their own that cannot be set for one transaction. */
  private void limitWaiting(Connection connection) throws SQLException {
    if (dialect == SqlDialect.POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("set local lock_timeout = '10s'");
      }
    }
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
