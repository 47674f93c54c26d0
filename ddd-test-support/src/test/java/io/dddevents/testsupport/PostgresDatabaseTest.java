// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

final class PostgresDatabaseTest extends DatabaseContract {
  @Override
  Database create() {
    return Database.postgres();
  }

  @Override
  Database.Kind kind() {
    return Database.Kind.POSTGRES;
  }
}
