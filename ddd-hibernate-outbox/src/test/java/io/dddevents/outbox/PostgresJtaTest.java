// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.PostgresServer;
import javax.sql.XADataSource;
import org.junit.jupiter.api.AfterAll;
import org.postgresql.xa.PGXADataSource;

/** Two phases need a server that permits prepared transactions; by default none does. */
final class PostgresJtaTest extends JtaCapture {

  private static final PostgresServer SERVER =
      new PostgresServer("max_connections=50", "max_prepared_transactions=10");

  PostgresJtaTest() {
    super(Database.on(SERVER.start()), Database.on(SERVER));
  }

  @AfterAll
  @Override
  void close() {
    super.close();
    SERVER.close();
  }

  @Override
  XADataSource xa(Database database) {
    PGXADataSource source = new PGXADataSource();
    source.setUrl(database.jdbcUrl());
    source.setUser(database.user());
    source.setPassword(database.password());
    return source;
  }
}
