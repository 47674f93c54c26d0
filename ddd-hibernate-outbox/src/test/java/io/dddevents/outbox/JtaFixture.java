// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Domain;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.util.UUID;
import javax.sql.XADataSource;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two databases under one real transaction manager, over XA connections. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({LogGuard.class, LeakGuard.class})
abstract class JtaFixture {

  private final Database database;
  private final Database otherDatabase;
  private final XaConnections connections;
  final Harness harness;
  final Harness other;
  final TransactionManager transactions = Narayana.transactions();
  final String id = "jta-" + UUID.randomUUID();

  JtaFixture(Database database, Database otherDatabase) {
    this.database = database;
    this.otherDatabase = otherDatabase;
    this.connections = new XaConnections(xa(database), transactions);
    this.harness = new Harness(build(connections));
    this.other = new Harness(build(new XaConnections(xa(otherDatabase), transactions)));
  }

  abstract XADataSource xa(Database database);

  @BeforeEach
  void clear() {
    harness.commit(session -> session.createMutationQuery("delete from Doc").executeUpdate());
    harness.clear();
    other.commit(session -> session.createMutationQuery("delete from Doc").executeUpdate());
    other.clear();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    int status = transactions.getStatus();
    if (status != Status.STATUS_NO_TRANSACTION) {
      // Else the next test would run inside it.
      transactions.rollback();
    }
    assertThat(status).isEqualTo(Status.STATUS_NO_TRANSACTION);
    assertThat(connections.open()).isZero();
    SessionFactoryImplementor factory = harness.factory().unwrap(SessionFactoryImplementor.class);
    assertThat(Capture.required(factory).openLogs()).isZero();
  }

  @AfterAll
  void close() {
    harness.close();
    other.close();
    database.close();
    otherDatabase.close();
  }

  Doc doc(String event) {
    Doc doc = new Doc(id);
    doc.happen(event);
    return doc;
  }

  void assertNothingWrittenAndStillPending(Doc doc) {
    assertThat(docs(harness)).isZero();
    assertThat(harness.stored()).isEmpty();
    assertThat(doc.pendingEvents().list()).hasSize(1);
  }

  static long docs(Harness harness) {
    return harness.count("t_doc");
  }

  private static SessionFactory build(XaConnections connections) {
    return new HibernatePersistenceConfiguration("jta")
        .managedClasses(Domain.ENTITIES)
        .property("hibernate.connection.provider_class", connections)
        .property("hibernate.transaction.coordinator_class", "jta")
        .property("hibernate.transaction.jta.platform", new Narayana())
        .property("hibernate.hbm2ddl.auto", "create")
        .createEntityManagerFactory();
  }
}
