// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.EventOptions;
import io.dddevents.outbox.conformance.FailureCases;
import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Domain;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.XADataSource;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.event.Level;

/** Capture in transactions of a real transaction manager, over XA connections. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({LogGuard.class, LeakGuard.class})
abstract class JtaCapture {

  private static final String LATE = "Event raised after the last flush of its transaction";

  private final Database database;
  private final Database otherDatabase;
  private final XaConnections connections;
  private final Harness harness;
  private final Harness other;
  private final TransactionManager transactions = Narayana.transactions();
  private final String id = "jta-" + UUID.randomUUID();

  JtaCapture(Database database, Database otherDatabase) {
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

  @Test
  void aCommitStoresTheEvents() throws Exception {
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc("created"));
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("created");
    assertThat(docs(harness)).isEqualTo(1);
  }

  @Test
  void eventsOfAnEntityManagerThatWasClosedBeforeTheCommitAreStored() throws Exception {
    transactions.begin();
    Doc doc = doc("created");
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      entities.flush();
      doc.rename("renamed");
      doc.happen("after the flush");
    }
    transactions.commit();
    assertThat(harness.stored()).containsExactly("created", "after the flush");
    assertThat(harness.find(Doc.class, id).name()).isEqualTo("renamed");
  }

  @Test
  void anEntityManagerThatJoinsATransactionLaterIsCaptured() throws Exception {
    try (EntityManager entities = harness.factory().createEntityManager()) {
      Doc doc = doc("before");
      transactions.begin();
      entities.joinTransaction();
      entities.persist(doc);
      transactions.commit();
      transactions.begin();
      entities.joinTransaction();
      doc.happen("in the next one");
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("before", "in the next one");
  }

  @Test
  void aRollbackReturnsTheEvents() throws Exception {
    Doc doc = doc("created");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      entities.flush();
      assertThat(doc.hasPendingEvents()).isFalse();
      transactions.rollback();
    }
    assertNothingWrittenAndStillPending(doc);
  }

  @Test
  void aRollbackAfterTheEntityManagerWasClosedReturnsTheEvents() throws Exception {
    Doc doc = doc("created");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      entities.flush();
    }
    transactions.rollback();
    assertNothingWrittenAndStillPending(doc);
  }

  @Test
  void aFailureThatTheApplicationSwallowedEndsInARollback() throws Exception {
    Doc doc = doc(FailureCases.TOO_LARGE);
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      assertThatThrownBy(entities::flush).hasStackTraceContaining("at most 262144");
      assertThat(transactions.getStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
      assertThatThrownBy(transactions::commit).isInstanceOf(RollbackException.class);
    }
    assertNothingWrittenAndStillPending(doc);
  }

  @Test
  void anInsertThatFailsAtTheCommitRollsBack() throws Exception {
    UUID event = UUID.randomUUID();
    Doc doc = new Doc(id);
    doc.happen("1", EventOptions.defaults().id(event));
    doc.happen("2", EventOptions.defaults().id(event));
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      assertThatThrownBy(transactions::commit)
          .isInstanceOf(RollbackException.class)
          .hasStackTraceContaining("could not store 2 event(s)");
    }
    assertThat(docs(harness)).isZero();
    assertThat(harness.stored()).isEmpty();
    assertThat(doc.pendingEvents().list()).hasSize(2);
  }

  @Test
  void twoDatabasesCommitTogetherEachWithItsEvents() throws Exception {
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager();
        EntityManager others = other.factory().createEntityManager()) {
      entities.persist(doc("here"));
      others.persist(doc("there"));
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("here");
    assertThat(other.stored()).containsExactly("there");
  }

  @Test
  void whatCannotBeStoredInOneDatabaseIsStoredInNone() throws Exception {
    Doc doc = doc("here");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager();
        EntityManager others = other.factory().createEntityManager()) {
      entities.persist(doc);
      others.persist(doc(FailureCases.TOO_LARGE));
      assertThatThrownBy(transactions::commit).isInstanceOf(RollbackException.class);
    }
    assertNothingWrittenAndStillPending(doc);
    assertThat(other.stored()).isEmpty();
    assertThat(docs(other)).isZero();
  }

  @Test
  void aTransactionInsideASuspendedOneStaysApartFromIt() throws Exception {
    Doc outerDoc = doc("outer");
    transactions.begin();
    try (EntityManager outer = harness.factory().createEntityManager()) {
      outer.persist(outerDoc);
      outer.flush();
      Transaction suspended = transactions.suspend();
      transactions.begin();
      try (EntityManager inner = harness.factory().createEntityManager()) {
        Doc innerDoc = new Doc(id + "-inner");
        innerDoc.happen("inner");
        inner.persist(innerDoc);
        transactions.commit();
      }
      assertThat(harness.stored()).containsExactly("inner");
      transactions.resume(suspended);
      transactions.rollback();
    }
    assertThat(harness.stored()).containsExactly("inner");
    assertThat(outerDoc.hasPendingEvents()).isTrue();
    assertThat(docs(harness)).isEqualTo(1);
  }

  @Test
  void aTransactionSurvivesTheRollbackOfOneInside() throws Exception {
    Doc innerDoc = new Doc(id + "-inner");
    innerDoc.happen("inner");
    transactions.begin();
    try (EntityManager outer = harness.factory().createEntityManager()) {
      outer.persist(doc("outer"));
      Transaction suspended = transactions.suspend();
      transactions.begin();
      try (EntityManager inner = harness.factory().createEntityManager()) {
        inner.persist(innerDoc);
        inner.flush();
        transactions.rollback();
      }
      transactions.resume(suspended);
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("outer");
    assertThat(innerDoc.hasPendingEvents()).isTrue();
  }

  @Test
  void aStatelessSessionIsCapturedAndRestored() throws Exception {
    Doc doc = doc("stateless");
    transactions.begin();
    try (StatelessSession session = harness.factory().openStatelessSession()) {
      session.insert(doc);
      transactions.rollback();
    }
    assertNothingWrittenAndStillPending(doc);
    transactions.begin();
    try (StatelessSession session = harness.factory().openStatelessSession()) {
      session.insert(doc);
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("stateless");
  }

  @Test
  void anAppendedEventTakesPart() throws Exception {
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      Outbox.append(entities, new Happened("rolled back"));
      transactions.rollback();
    }
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      Outbox.append(entities, new Happened("committed"));
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("committed");
  }

  @Test
  void aUnitOfWorkBeginsATransactionOfItsOwn() throws Exception {
    HibernateUnitOfWork work = HibernateUnitOfWork.of(harness.factory());
    work.run(() -> work.session().persist(doc("created")));
    assertThat(transactions.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    assertThat(harness.stored()).containsExactly("created");
  }

  @Test
  void aUnitOfWorkJoinsTheTransactionOfItsCaller() throws Exception {
    HibernateUnitOfWork work = HibernateUnitOfWork.of(harness.factory());
    Doc doc = doc("created");
    transactions.begin();
    work.run(() -> work.session().persist(doc));
    transactions.rollback();
    assertNothingWrittenAndStillPending(doc);
    transactions.begin();
    work.run(() -> work.session().persist(doc));
    transactions.commit();
    assertThat(harness.stored()).containsExactly("created");
  }

  @Test
  void aUnitOfWorkThatFailsRollsBackTheTransactionOfItsCaller() throws Exception {
    HibernateUnitOfWork work = HibernateUnitOfWork.of(harness.factory());
    transactions.begin();
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(transactions.getStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
    transactions.rollback();
  }

  @Test
  void aUnitOfWorkThatJoinsIsNotRetriedBecauseItsCallersWorkCannotBe() throws Exception {
    HibernateUnitOfWork work = HibernateUnitOfWork.of(harness.factory()).retryOnConflict(3);
    AtomicInteger tries = new AtomicInteger();
    transactions.begin();
    assertThatThrownBy(() -> work.run(() -> conflict(tries)))
        .isInstanceOf(OptimisticLockException.class);
    transactions.rollback();
    assertThat(tries).hasValue(1);
    assertThatThrownBy(() -> work.run(() -> conflict(tries)))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(tries).hasValue(5);
  }

  private static void conflict(AtomicInteger tries) {
    tries.incrementAndGet();
    throw new OptimisticLockException("another was faster");
  }

  @Test
  void aUnitOfWorkThatRequiresANewTransactionStaysApartFromItsCaller() throws Exception {
    HibernateUnitOfWork work = HibernateUnitOfWork.of(harness.factory());
    Doc outer = doc("outer");
    Doc inner = new Doc(id + "-inner");
    inner.happen("inner");
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      work.session().persist(outer);
                      work.session().flush();
                      work.requiresNew().run(() -> work.session().persist(inner));
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(harness.stored()).containsExactly("inner");
    assertThat(outer.hasPendingEvents()).isTrue();
  }

  /**
   * Hibernate has flushed by then; the state that goes with such an event is not written either.
   */
  @Test
  @ExpectLog(value = Level.ERROR, logger = "TransactionLog", message = LATE)
  void anEventRaisedAfterHibernatesLastFlushIsReportedAndStaysOnItsAggregate() throws Exception {
    Doc doc = doc("in time");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      beforeCompletion(() -> doc.happen("late"));
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("in time");
    assertThat(doc.pendingEvents().list()).hasSize(1);
  }

  @Test
  @ExpectLog(value = Level.ERROR, logger = "TransactionLog", message = LATE)
  void theSameIsReportedIfTheEntityManagerWasClosedBeforeTheCommit() throws Exception {
    Doc doc = doc("in time");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      beforeCompletion(() -> doc.happen("late"));
    }
    transactions.commit();
    assertThat(harness.stored()).containsExactly("in time");
    assertThat(doc.pendingEvents().list()).hasSize(1);
  }

  @Test
  @ExpectLog(value = Level.ERROR, logger = "TransactionLog", message = LATE)
  void theSameIsReportedOfAnAggregateThatWasRemoved() throws Exception {
    Doc doc = doc("created");
    harness.commit(session -> session.persist(doc));
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      Doc managed = entities.find(Doc.class, id);
      entities.remove(managed);
      beforeCompletion(() -> managed.happen("late"));
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("created");
  }

  @Test
  void anEventRaisedAndFlushedAfterHibernatesLastFlushIsStored() throws Exception {
    Doc doc = doc("in time");
    transactions.begin();
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      beforeCompletion(
          () -> {
            doc.happen("late, and flushed");
            entities.flush();
          });
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("in time", "late, and flushed");
  }

  @Test
  void anEventRaisedBeforeHibernatesLastFlushIsStored() throws Exception {
    Doc doc = new Doc(id);
    transactions.begin();
    beforeCompletion(() -> doc.happen("early"));
    try (EntityManager entities = harness.factory().createEntityManager()) {
      entities.persist(doc);
      transactions.commit();
    }
    assertThat(harness.stored()).containsExactly("early");
  }

  private void beforeCompletion(Runnable work) throws Exception {
    transactions
        .getTransaction()
        .registerSynchronization(
            new Synchronization() {
              @Override
              public void beforeCompletion() {
                work.run();
              }

              @Override
              public void afterCompletion(int status) {}
            });
  }

  private Doc doc(String event) {
    Doc doc = new Doc(id);
    doc.happen(event);
    return doc;
  }

  private void assertNothingWrittenAndStillPending(Doc doc) {
    assertThat(docs(harness)).isZero();
    assertThat(harness.stored()).isEmpty();
    assertThat(doc.pendingEvents().list()).hasSize(1);
  }

  private static long docs(Harness harness) {
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
