// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * A fresh, empty database of its own name, so that one contract class runs over every database by
 * subclasses of ten lines.
 *
 * <p>Safe for many threads. {@link LeakGuard} reports the connections it handed out and nobody
 * closed.
 */
public final class Database implements AutoCloseable {
  /** The databases we support. */
  public enum Kind {
    /** H2, in this JVM. */
    H2,
    /** PostgreSQL, a real server. */
    POSTGRES,
    /** MariaDB, a real server. */
    MARIADB
  }

  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final Kind kind;
  private final String name;
  private final String jdbcUrl;
  private final String user;
  private final String password;
  private final Drop drop;
  private final List<Connection> handedOut = new CopyOnWriteArrayList<>();
  private boolean closed;

  private interface Drop {
    void run() throws SQLException;
  }

  private Database(
      Kind kind, String name, String jdbcUrl, String user, String password, Drop drop) {
    this.kind = kind;
    this.name = name;
    this.jdbcUrl = jdbcUrl;
    this.user = user;
    this.password = password;
    this.drop = drop;
  }

  /** A new H2 database in memory. */
  public static Database h2() {
    String name = newName();
    return h2(name, "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "shutdown");
  }

  /**
   * An H2 database in files of the folder, for tests that kill the JVM that uses it: a commit is
   * written at once. One process at a time can open it.
   */
  public static Database h2File(Path folder) {
    String url = "jdbc:h2:file:" + folder.toAbsolutePath().resolve("db");
    return h2("db", url + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE", "drop all objects delete files");
  }

  private static Database h2(String name, String url, String drop) {
    return new Database(Kind.H2, name, url, "sa", "", () -> execute(url, "sa", "", drop));
  }

  /**
   * A new database on the PostgreSQL server of {@code DDD_TEST_POSTGRES_URL}, or else on {@link
   * PostgresServer#shared}.
   */
  public static Database postgres() {
    ServerUrl server =
        RealServices.setting("DDD_TEST_POSTGRES_URL")
            .map(ServerUrl::parse)
            .orElseGet(() -> address(PostgresServer.shared()));
    return create(Kind.POSTGRES, server, "drop database if exists %s with (force)");
  }

  /** A new database on a private server; it is gone with the server's data. */
  public static Database on(PostgresServer server) {
    return create(Kind.POSTGRES, address(server), "drop database if exists %s with (force)");
  }

  /**
   * A new database on the MariaDB server of {@code DDD_TEST_MARIADB_URL}, or else on {@link
   * MariaDbServer#shared}.
   */
  public static Database mariaDb() {
    ServerUrl server =
        RealServices.setting("DDD_TEST_MARIADB_URL")
            .map(ServerUrl::parse)
            .orElseGet(() -> address(MariaDbServer.shared()));
    return create(Kind.MARIADB, server, "drop database if exists %s");
  }

  /** A new database on a private server; it is gone with the server's data. */
  public static Database on(MariaDbServer server) {
    return create(Kind.MARIADB, address(server), "drop database if exists %s");
  }

  private static ServerUrl address(PostgresServer server) {
    return ServerUrl.of(server.url("postgres"), server.user(), server.password());
  }

  private static ServerUrl address(MariaDbServer server) {
    return ServerUrl.of(server.url("mysql"), server.user(), server.password());
  }

  private static Database create(Kind kind, ServerUrl server, String dropSql) {
    String name = newName();
    try {
      execute(server.admin(), server.user(), server.password(), "create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create database " + name, e);
    }
    String drop = dropSql.formatted(name);
    return new Database(
        kind,
        name,
        server.database(name),
        server.user(),
        server.password(),
        () -> execute(server.admin(), server.user(), server.password(), drop));
  }

  private static String newName() {
    return "ddd_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  }

  private static void execute(String url, String user, String password, String sql)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Which database this is. */
  public Kind kind() {
    return kind;
  }

  /** The JDBC URL, without credentials; it may be handed to a child JVM. */
  public String jdbcUrl() {
    return jdbcUrl;
  }

  /** The user for {@link #jdbcUrl}. */
  public String user() {
    return user;
  }

  /** The password of {@link #user}. */
  public String password() {
    return password;
  }

  /** A data source without a pool: every connection is a new one. */
  public DataSource dataSource() {
    return new PlainDataSource(this);
  }

  /** Opens a new connection, which the caller closes. */
  public Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(jdbcUrl, user, password);
    handedOut.add(connection);
    OpenThings.add(this, "connections to " + this, () -> openConnections() > 0);
    return connection;
  }

  /** How many of the connections handed out are still open. */
  public int openConnections() {
    handedOut.removeIf(Database::isClosed);
    return handedOut.size();
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Executes the statements one by one, each in its own transaction. */
  public void execute(String... sql) {
    for (String statement : sql) {
      try {
        execute(jdbcUrl, user, password, statement);
      } catch (SQLException e) {
        throw new IllegalStateException("failed on " + this + ": " + statement, e);
      }
    }
  }

  /** Drops the database, even under open connections; those are remembered as a leak. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      Await.until("connections of " + this + " are closed", CLOSING, () -> openConnections() == 0);
    } catch (AssertionError leak) {
      OpenThings.add(new Object(), openConnections() + " connections to " + this, () -> true);
    }
    try {
      drop.run();
    } catch (SQLException e) {
      throw new IllegalStateException("could not drop " + this, e);
    }
  }

  @Override
  public String toString() {
    return kind + " database " + name;
  }
}
