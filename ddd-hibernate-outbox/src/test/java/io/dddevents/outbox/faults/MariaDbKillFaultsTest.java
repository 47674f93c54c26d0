// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.testsupport.Database;

final class MariaDbKillFaultsTest extends KillFaults {

  MariaDbKillFaultsTest() {
    super(Database::mariaDb, false);
  }
}
