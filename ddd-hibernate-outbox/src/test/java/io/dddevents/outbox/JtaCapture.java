// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.EventOptions;
import io.dddevents.outbox.conformance.FailureCases;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.testsupport.Database;
import jakarta.persistence.EntityManager;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import java.util.UUID;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.Test;

/** Capture in transactions of a real transaction manager, over XA connections. */
abstract class JtaCapture extends JtaCompletion {

  JtaCapture(Database database, Database otherDatabase) {
    super(database, otherDatabase);
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
}
