// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.testsupport.Database;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcDataSource;

final class H2JtaTest extends JtaCapture {

  H2JtaTest() {
    super(Database.h2(), Database.h2());
  }

  @Override
  XADataSource xa(Database database) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(database.jdbcUrl());
    source.setUser(database.user());
    source.setPassword(database.password());
    return source;
  }
}
