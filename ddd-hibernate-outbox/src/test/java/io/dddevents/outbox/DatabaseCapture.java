// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.CaptureConformance;
import io.dddevents.testsupport.Database;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** The suite on one database; also checks that capture forgets every transaction. */
abstract class DatabaseCapture extends CaptureConformance {

  private final Database database;

  DatabaseCapture(Database database) {
    this.database = database;
  }

  @Override
  protected Map<String, Object> connection() {
    return Connections.to(database);
  }

  @AfterEach
  void nothingIsRememberedAfterTheTransaction() {
    SessionFactoryImplementor factory = harness().factory().unwrap(SessionFactoryImplementor.class);
    assertThat(Capture.required(factory).openLogs()).isZero();
  }

  @AfterAll
  void drop() {
    database.close();
  }
}
