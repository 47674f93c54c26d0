// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.cost;

import io.dddevents.testsupport.Database;

final class H2CaptureCostTest extends CaptureCost {

  H2CaptureCostTest() {
    super(Database::h2);
  }
}
