// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

final class MariaDbDatabaseTest extends DatabaseContract {
  @Override
  Database create() {
    return Database.mariaDb();
  }

  @Override
  Database.Kind kind() {
    return Database.Kind.MARIADB;
  }
}
