// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.CockroachDialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.HSQLDialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.OracleDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.dialect.SQLServerDialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Databases on which "stored" would not mean stored are refused. */
final class DatabaseRefusalTest {

  @Test
  void anH2FileThatWritesLateIsRefused(@TempDir Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve("late");
    assertThatThrownBy(() -> start(url, "sa", "").close())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("H2 writes commits 500 ms late")
        .hasMessageContaining(";WRITE_DELAY=0");
    try (SessionFactory factory = start(url + ";WRITE_DELAY=0", "sa", "")) {
      assertThat(factory.isOpen()).isTrue();
    }
  }

  @Test
  void aMariaDbThatCutsValuesSilentlyIsRefused() {
    try (Database database = Database.mariaDb()) {
      String url = database.jdbcUrl();
      String loose = url + (url.contains("?") ? "&" : "?") + "sessionVariables=sql_mode=''";
      assertThatThrownBy(() -> start(loose, database.user(), database.password()).close())
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("sql_mode is not strict")
          .hasMessageContaining("STRICT_TRANS_TABLES");
      try (SessionFactory factory = start(url, database.user(), database.password())) {
        assertThat(factory.isOpen()).isTrue();
      }
    }
  }

  @Test
  void anUnknownDialectIsRefusedAndTheWayOutNamed() {
    assertThat(SqlDialect.of(new H2Dialect())).isEqualTo(SqlDialect.H2);
    assertThat(SqlDialect.of(new PostgreSQLDialect())).isEqualTo(SqlDialect.POSTGRESQL);
    assertThat(SqlDialect.of(new MariaDBDialect())).isEqualTo(SqlDialect.MARIADB);
    assertThat(SqlDialect.of(new MySQLDialect())).isEqualTo(SqlDialect.MYSQL);
    assertThatThrownBy(() -> SqlDialect.of(new OracleDialect()))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("'OracleDialect'")
        .hasMessageContaining("H2, PostgreSQL, MariaDB and MySQL")
        .hasMessageContaining("dddevents.outbox.enabled=false");
    assertThatThrownBy(() -> SqlDialect.of(new HSQLDialect())).isInstanceOf(OutboxException.class);
    assertThatThrownBy(() -> SqlDialect.of(new SQLServerDialect()))
        .isInstanceOf(OutboxException.class);
    assertThatThrownBy(() -> SqlDialect.of(new CockroachDialect()))
        .isInstanceOf(OutboxException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "H2, 2, 1, 2.2",
    "H2, 1, 4, 2.2",
    "PostgreSQL, 11, 22, 12.0",
    "MariaDB, 10, 5, 10.6",
    "MySQL, 5, 7, 8.0"
  })
  void aVersionThatIsTooOldIsRefused(String product, int major, int minor, String needed) {
    assertThatThrownBy(() -> SqlDialect.of(database(product, major, minor)))
        .isInstanceOf(OutboxException.class)
        .hasMessage(
            "%s %d.%d is too old for the outbox; it needs %s or later"
                .formatted(product, major, minor, needed));
  }

  @ParameterizedTest
  @CsvSource({
    "H2, 2, 2, H2",
    "H2, 3, 0, H2",
    "PostgreSQL, 12, 0, POSTGRESQL",
    "PostgreSQL, 18, 1, POSTGRESQL",
    "MariaDB, 10, 6, MARIADB",
    "MariaDB, 11, 4, MARIADB",
    "MySQL, 8, 0, MYSQL",
    "MySQL, 9, 1, MYSQL"
  })
  void aVersionThatIsNewEnoughIsAccepted(String product, int major, int minor, SqlDialect expected)
      throws SQLException {
    assertThat(SqlDialect.of(database(product, major, minor))).isEqualTo(expected);
  }

  @Test
  void anUnknownProductIsRefused() {
    assertThatThrownBy(() -> SqlDialect.of(database("Oracle", 23, 0)))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("'Oracle'");
    assertThatThrownBy(() -> OutboxSchema.forDatabase("sql server"))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("'sql server'");
  }

  /** A database that says nothing but its name and version. */
  private static DatabaseMetaData database(String product, int major, int minor) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            DatabaseRefusalTest.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getDatabaseProductName" -> product;
                  case "getDatabaseMajorVersion" -> major;
                  case "getDatabaseMinorVersion" -> minor;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static SessionFactory start(String url, String user, String password) {
    Configuration configuration = new Configuration().addAnnotatedClass(Doc.class);
    configuration.setProperty("jakarta.persistence.jdbc.url", url);
    configuration.setProperty("jakarta.persistence.jdbc.user", user);
    configuration.setProperty("jakarta.persistence.jdbc.password", password);
    configuration.setProperty("hibernate.hbm2ddl.auto", "update");
    return configuration.buildSessionFactory();
  }
}
