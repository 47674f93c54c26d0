// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One connection for each thread, opened again when it broke: to open one takes longer than a
 * transaction, and most faults would strike there.
 */
final class KeptConnections implements Callable<Connection>, AutoCloseable {

  private final String url;
  private final String user;
  private final String password;
  private final Map<Thread, Connection> connections = new ConcurrentHashMap<>();

  KeptConnections(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  @Override
  public Connection call() throws SQLException {
    Connection connection = connections.get(Thread.currentThread());
    if (connection == null || connection.isClosed()) {
      connection = DriverManager.getConnection(url, user, password);
      connections.put(Thread.currentThread(), connection);
    }
    return WatchedDataSource.keptOpen(connection);
  }

  @Override
  public void close() {
    for (Connection connection : connections.values()) {
      try {
        connection.close();
      } catch (SQLException e) {
        // It was cut: there is nobody to say goodbye to.
      }
    }
    connections.clear();
  }
}
