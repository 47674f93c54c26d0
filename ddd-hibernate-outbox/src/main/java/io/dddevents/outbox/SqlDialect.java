// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.jspecify.annotations.Nullable;

/** What differs between the databases. An unknown one is refused, not guessed. */
enum SqlDialect {
  H2("h2", "H2", 2, 2),
  POSTGRESQL("postgresql", "PostgreSQL", 12, 0),
  MARIADB("mariadb", "MariaDB", 10, 6),
  MYSQL("mariadb", "MySQL", 8, 0);

  private final String resource;
  private final String product;
  private final int leastMajor;
  private final int leastMinor;

  SqlDialect(String resource, String product, int leastMajor, int leastMinor) {
    this.resource = resource;
    this.product = product;
    this.leastMajor = leastMajor;
    this.leastMinor = leastMinor;
  }

  static SqlDialect of(Dialect dialect) {
    if (dialect instanceof H2Dialect) {
      return H2;
    }
    if (dialect instanceof PostgreSQLDialect) {
      return POSTGRESQL;
    }
    if (dialect instanceof org.hibernate.dialect.MariaDBDialect) {
      return MARIADB;
    }
    if (dialect instanceof MySQLDialect) {
      return MYSQL;
    }
    throw unsupported(dialect.getClass().getSimpleName());
  }

  static SqlDialect of(DatabaseMetaData database) throws SQLException {
    String found = database.getDatabaseProductName();
    for (SqlDialect dialect : values()) {
      if (dialect.product.equalsIgnoreCase(found)) {
        dialect.requireVersion(database);
        return dialect;
      }
    }
    throw unsupported(found);
  }

  static SqlDialect named(String name) {
    for (SqlDialect dialect : values()) {
      if (dialect.product.equalsIgnoreCase(name)) {
        return dialect;
      }
    }
    throw unsupported(name);
  }

  void requireVersion(DatabaseMetaData database) throws SQLException {
    int major = database.getDatabaseMajorVersion();
    int minor = database.getDatabaseMinorVersion();
    if (major < leastMajor || (major == leastMajor && minor < leastMinor)) {
      throw new OutboxException(
          product
              + " "
              + major
              + "."
              + minor
              + " is too old for the outbox; it needs "
              + leastMajor
              + "."
              + leastMinor
              + " or later");
    }
  }

  /** The name of the DDL file. */
  String resource() {
    return resource + ".sql";
  }

  /**
   * Takes the key if it is free and does nothing if it is not. If another transaction holds it,
   * this waits for its end. H2 has no such statement outside of its PostgreSQL mode: there, {@link
   * #isDuplicateKey} tells.
   */
  String insertKey(String table) {
    String insert = "insert into " + table + " (event_type, dedupe_key, event_id) values (?, ?, ?)";
    return switch (this) {
      case H2 -> insert;
      case POSTGRESQL -> insert + " on conflict do nothing";
      // Not "insert ignore", which swallows other errors as well.
      case MARIADB, MYSQL -> insert + " on duplicate key update event_id = event_id";
    };
  }

  /** The database's clock at the time of the statement. */
  String now() {
    return switch (this) {
      case H2 -> "current_timestamp(6)";
      case POSTGRESQL -> "clock_timestamp()";
      case MARIADB, MYSQL -> "utc_timestamp(6)";
    };
  }

  /** The database's clock, so many milliseconds later or earlier. */
  String nowPlus(long millis) {
    return switch (this) {
      case H2 -> "dateadd('MILLISECOND', " + millis + ", current_timestamp(6))";
      case POSTGRESQL -> "clock_timestamp() + " + millis + " * interval '1 millisecond'";
      case MARIADB, MYSQL -> "utc_timestamp(6) + interval " + millis * 1_000 + " microsecond";
    };
  }

  /** Microseconds from the database's clock to the column's time. */
  String microsUntil(String column) {
    return switch (this) {
      case H2 -> "datediff('MICROSECOND', current_timestamp(6), " + column + ")";
      case POSTGRESQL -> "extract(epoch from " + column + " - clock_timestamp()) * 1000000";
      case MARIADB, MYSQL -> "timestampdiff(microsecond, utc_timestamp(6), " + column + ")";
    };
  }

  /** Limits how long a statement may take; not on H2, where that would stay with the connection. */
  void limit(Statement statement, int seconds) throws SQLException {
    if (this != H2) {
      statement.setQueryTimeout(seconds);
    }
  }

  boolean skipsLocked() {
    return this != H2;
  }

  Instant readInstant(ResultSet rows, int index) throws SQLException {
    return this == MARIADB || this == MYSQL
        ? rows.getObject(index, LocalDateTime.class).toInstant(ZoneOffset.UTC)
        : rows.getObject(index, OffsetDateTime.class).toInstant();
  }

  /** Sees what is committed now, not what was when the transaction began. */
  String currentRead() {
    return this == MARIADB || this == MYSQL ? " for update" : "";
  }

  boolean isDuplicateKey(SQLException e) {
    return this == H2 && "23505".equals(e.getSQLState());
  }

  void bindUuid(PreparedStatement statement, int index, UUID value) throws SQLException {
    if (this == MARIADB || this == MYSQL) {
      statement.setBytes(
          index,
          ByteBuffer.allocate(16)
              .putLong(value.getMostSignificantBits())
              .putLong(value.getLeastSignificantBits())
              .array());
    } else {
      statement.setObject(index, value);
    }
  }

  UUID readUuid(ResultSet rows, int index) throws SQLException {
    if (this == MARIADB || this == MYSQL) {
      ByteBuffer bytes = ByteBuffer.wrap(rows.getBytes(index));
      return new UUID(bytes.getLong(), bytes.getLong());
    }
    return rows.getObject(index, UUID.class);
  }

  /** Always UTC, whatever the zone of the JVM or the session. */
  void bindInstant(PreparedStatement statement, int index, Instant value) throws SQLException {
    if (this == MARIADB || this == MYSQL) {
      statement.setObject(index, LocalDateTime.ofInstant(value, ZoneOffset.UTC));
    } else {
      statement.setObject(index, OffsetDateTime.ofInstant(value, ZoneOffset.UTC));
    }
  }

  /** Keys are compared byte by byte: MariaDB's text would take 'A', 'a' and 'a ' for one. */
  void bindKey(PreparedStatement statement, int index, String value) throws SQLException {
    if (this == MARIADB || this == MYSQL) {
      statement.setBytes(index, value.getBytes(UTF_8));
    } else {
      statement.setString(index, value);
    }
  }

  String readKey(ResultSet rows, int index) throws SQLException {
    return this == MARIADB || this == MYSQL
        ? new String(rows.getBytes(index), UTF_8)
        : rows.getString(index);
  }

  static void bindText(PreparedStatement statement, int index, @Nullable String value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.VARCHAR);
    } else {
      statement.setString(index, value);
    }
  }

  private static OutboxException unsupported(String found) {
    return new OutboxException(
        "the outbox does not support the database '"
            + found
            + "'; supported are H2, PostgreSQL, MariaDB and MySQL. Use one of them, or switch"
            + " capture off for this persistence unit by "
            + OutboxSettings.ENABLED
            + "=false");
  }
}
