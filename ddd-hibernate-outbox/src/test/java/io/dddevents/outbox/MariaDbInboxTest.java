// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.testsupport.Database;

final class MariaDbInboxTest extends InboxContract {

  @Override
  Database database() {
    return Database.mariaDb();
  }
}
