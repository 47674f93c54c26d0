// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
abstract class DatabaseContract {
  private Database database = Database.h2();

  abstract Database create();

  abstract Database.Kind kind();

  @BeforeEach
  void open() {
    database.close();
    database = create();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void isOfItsKindAndSpeaksSql() throws SQLException {
    database.execute(
        "create table frog (name varchar(10))", "insert into frog values ('Fred'), ('Frîda')");
    assertThat(database.kind()).isEqualTo(kind());
    assertThat(frogs(database)).isEqualTo(2);
    try (Connection connection = database.connect()) {
      assertThat(connection.getMetaData().getDatabaseProductName())
          .isEqualToIgnoringCase(
              switch (kind()) {
                case H2 -> "H2";
                case POSTGRES -> "PostgreSQL";
                case MARIADB -> "MariaDB";
              });
    }
  }

  @Test
  void isFreshAndApartFromOthers() throws SQLException {
    database.execute("create table frog (name varchar(10))");
    try (Database other = create()) {
      assertThat(other.jdbcUrl()).isNotEqualTo(database.jdbcUrl());
      other.execute("create table frog (name varchar(10))", "insert into frog values ('Fred')");
      assertThat(frogs(database)).isZero();
      assertThat(frogs(other)).isEqualTo(1);
    }
  }

  @Test
  void countsTheConnectionsItHandedOut() throws SQLException {
    try (Connection one = database.connect();
        Connection two = database.dataSource().getConnection()) {
      assertThat(database.openConnections()).isEqualTo(2);
      assertThat(one.isValid(5) && two.isValid(5)).isTrue();
    }
    assertThat(database.openConnections()).isZero();
  }

  @Test
  void acceptsItsCredentialsOnly() throws SQLException {
    String url = database.jdbcUrl();
    try (Connection connection =
        DriverManager.getConnection(url, database.user(), database.password())) {
      assertThat(connection.isValid(5)).isTrue();
    }
    assertThatThrownBy(() -> DriverManager.getConnection(url, database.user(), "wrong"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void isGoneAfterClose() {
    database.execute("create table frog (name varchar(10))");
    database.close();
    assertThatThrownBy(() -> frogs(database)).isInstanceOf(SQLException.class);
  }

  @Test
  void aFailingStatementIsNamed() {
    assertThatThrownBy(() -> database.execute("insert into nowhere values (1)"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("insert into nowhere");
  }

  private static long frogs(Database database) throws SQLException {
    return Queries.number(database, "select count(*) from frog");
  }
}
