// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;

/**
 * What an application server's pool does: one connection per transaction, which takes part in it
 * and is closed at its end. Outside of a transaction every connection is a new one.
 */
final class XaConnections implements ConnectionProvider {

  private static final long serialVersionUID = 1L;

  private final transient XADataSource source;
  private final transient TransactionManager transactions;
  private final transient Map<Transaction, Enlisted> enlisted = new ConcurrentHashMap<>();
  private final transient Map<Connection, XAConnection> plain = new ConcurrentHashMap<>();

  XaConnections(XADataSource source, TransactionManager transactions) {
    this.source = source;
    this.transactions = transactions;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      Transaction transaction = transactions.getTransaction();
      if (transaction == null || transaction.getStatus() == Status.STATUS_NO_TRANSACTION) {
        XAConnection connection = source.getXAConnection();
        Connection handle = connection.getConnection();
        plain.put(handle, connection);
        return handle;
      }
      Enlisted known = enlisted.get(transaction);
      return known == null ? enlist(transaction) : known.handle();
    } catch (SystemException | RollbackException e) {
      throw new SQLException("no connection for the transaction", e);
    }
  }

  private Connection enlist(Transaction transaction)
      throws SQLException, SystemException, RollbackException {
    XAConnection connection = source.getXAConnection();
    transaction.enlistResource(connection.getXAResource());
    Enlisted mine = new Enlisted(connection, connection.getConnection());
    enlisted.put(transaction, mine);
    transaction.registerSynchronization(
        new Synchronization() {
          @Override
          public void beforeCompletion() {}

          @Override
          public void afterCompletion(int status) {
            enlisted.remove(transaction);
            close(mine.connection());
          }
        });
    return mine.handle();
  }

  @Override
  public void closeConnection(Connection handle) {
    XAConnection connection = plain.remove(handle);
    if (connection != null) {
      close(connection);
    }
  }

  /** How many connections nobody has given back. */
  int open() {
    return enlisted.size() + plain.size();
  }

  private static void close(XAConnection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean supportsAggressiveRelease() {
    return true;
  }

  @Override
  public boolean isUnwrappableAs(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return type.cast(this);
  }

  private record Enlisted(XAConnection connection, Connection handle) {}
}
