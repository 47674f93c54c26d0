// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.Test;

/** A session that is closed with its transaction open never says that the transaction has ended. */
final class LeakTest {

  @Test
  void sessionsClosedInsideTheirTransactionAreForgotten() {
    try (Database database = Database.h2();
        Harness harness =
            new Harness(Units.start(database, Map.of("hibernate.hbm2ddl.auto", "create")))) {
      Capture capture = Capture.required(harness.factory().unwrap(SessionFactoryImplementor.class));
      int most = 0;
      for (int i = 0; i < 200; i++) {
        try (Session session = harness.open()) {
          session.beginTransaction();
          Doc doc = new Doc("leak-" + i);
          doc.happen("left open");
          session.persist(doc);
          session.flush();
        }
        most = Math.max(most, capture.openLogs());
      }
      assertThat(most).isEqualTo(Capture.FORGET_AT_LEAST);
      // Hibernate's own pool commits what it finds open; be that as it may, both or none.
      assertThat(harness.stored()).hasSize((int) harness.count("t_doc"));
    }
  }

  @Test
  void sessionsThatAreStillOpenAreNotForgotten() {
    try (Database database = Database.h2();
        Harness harness =
            new Harness(Units.start(database, Map.of("hibernate.hbm2ddl.auto", "create")));
        Session longest = harness.open()) {
      longest.beginTransaction();
      Doc doc = new Doc("longest");
      doc.happen("returned");
      longest.persist(doc);
      longest.flush();
      for (int i = 0; i < 2 * Capture.FORGET_AT_LEAST; i++) {
        try (Session session = harness.open()) {
          session.beginTransaction();
          Doc other = new Doc("leak-" + i);
          other.happen("left open");
          session.persist(other);
          session.flush();
        }
      }
      longest.getTransaction().rollback();
      assertThat(doc.hasPendingEvents()).isTrue();
    }
  }
}
