// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

final class H2DatabaseTest extends DatabaseContract {
  @Override
  Database create() {
    return Database.h2();
  }

  @Override
  Database.Kind kind() {
    return Database.Kind.H2;
  }
}
