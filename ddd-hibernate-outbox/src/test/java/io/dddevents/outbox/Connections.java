// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.testsupport.Database;
import java.util.Map;

/** The JDBC settings of a database for Hibernate. */
final class Connections {

  private Connections() {}

  static Map<String, Object> to(Database database) {
    return Map.of(
        "jakarta.persistence.jdbc.url", database.jdbcUrl(),
        "jakarta.persistence.jdbc.user", database.user(),
        "jakarta.persistence.jdbc.password", database.password(),
        "hibernate.connection.pool_size", 20);
  }
}
