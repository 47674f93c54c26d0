// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.cost;

import io.dddevents.testsupport.Database;

final class PostgresCaptureCostTest extends CaptureCost {

  PostgresCaptureCostTest() {
    super(Database::postgres);
  }
}
