// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.ExpectLog;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Units of work, and events that come late, in transactions of a real transaction manager. */
abstract class JtaCompletion extends JtaFixture {

  private static final String LATE = "Event raised after the last flush of its transaction";

  JtaCompletion(Database database, Database otherDatabase) {
    super(database, otherDatabase);
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
}
