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
final class MariaDbServerTest {
  @Test
  void keepsWhatIsCommittedOverCrashStopAndRestart() throws SQLException {
    try (MariaDbServer server = new MariaDbServer("max-connections=17").start()) {
      Database database = Database.on(server);
      int port = server.port();
      assertThat(port).isNotEqualTo(3306);
      assertThat(Queries.number(database, "select @@max_connections")).isEqualTo(17);
      assertThat(Queries.number(database, "select @@innodb_flush_log_at_trx_commit")).isEqualTo(1);
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
    MariaDbServer shared = MariaDbServer.shared();
    shared.close();
    assertThat(MariaDbServer.shared()).isSameAs(shared);
    assertThat(shared.isRunning()).isTrue();
  }
}
