// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class PostgresServerTest {
  @Test
  void keepsWhatIsCommittedOverCrashStopAndRestart() throws SQLException {
    try (PostgresServer server = new PostgresServer("max_connections=17").start()) {
      Database database = Database.on(server);
      int port = server.port();
      assertThat(port).isNotEqualTo(5432);
      assertThat(Queries.text(database, "show max_connections")).isEqualTo("17");
      assertThat(Queries.text(database, "show fsync")).isEqualTo("on");
      database.execute("create table frog (id int)", "insert into frog values (1)");

      Connection open = database.connect();
      server.crash();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(() -> open.createStatement().execute("select 1"))
          .isInstanceOf(SQLException.class);
      open.close();

      server.start();
      assertThat(server.port()).isEqualTo(port);
      assertThat(Queries.number(database, "select count(*) from frog")).isEqualTo(1);

      database.execute("insert into frog values (2)");
      long before = server.pid();
      server.restart();
      assertThat(server.pid()).isNotEqualTo(before);
      assertThat(Queries.number(database, "select count(*) from frog")).isEqualTo(2);

      server.stop();
      assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void oneServerIsSharedAndNotClosed() {
    PostgresServer shared = PostgresServer.shared();
    shared.close();
    assertThat(PostgresServer.shared()).isSameAs(shared);
    assertThat(shared.isRunning()).isTrue();
  }

  @Test
  void aServerThatDoesNotStartShowsItsLog() {
    PostgresServer server = new PostgresServer("no_such_setting=1");
    assertThatThrownBy(server::start)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no_such_setting");
    server.close();
  }
}
