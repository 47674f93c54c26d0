// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.RaisedEvent;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.outbox.domain.Ord;
import io.dddevents.outbox.domain.Thing;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.junit.jupiter.api.Test;

/** What does not commit leaves no event behind, and takes none away. */
public interface RollbackCases extends CaptureSuite {

  @Test
  default void aRollbackPutsAllEventsBackInOrderAndARetryStoresThemOnce() {
    Doc doc = new Doc("rollback-" + System.nanoTime());
    doc.happen("1");
    harness()
        .rollback(
            session -> {
              session.persist(doc);
              session.flush();
              doc.happen("2");
              doc.rename("x");
              session.flush();
              doc.happen("3");
            });
    assertThat(harness().stored()).isEmpty();
    assertThat(pending(doc)).containsExactly("1", "2", "3");
    harness().commit(session -> session.persist(doc));
    assertThat(harness().stored()).containsExactly("1", "2", "3");
  }

  @Test
  default void aBusinessExceptionLeavesNothing() {
    Doc doc = new Doc("exception-" + System.nanoTime());
    doc.happen("1");
    assertThatThrownBy(
            () ->
                harness()
                    .commit(
                        session -> {
                          session.persist(doc);
                          session.flush();
                          throw new IllegalStateException("business");
                        }))
        .hasMessage("business");
    assertThat(harness().stored()).isEmpty();
    assertThat(pending(doc)).containsExactly("1");
  }

  @Test
  default void aRemovedAggregateGetsItsEventsBack() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    try (Session session = harness().open()) {
      Transaction transaction = session.beginTransaction();
      Ord managed = session.find(Ord.class, order.id());
      managed.happen("removed");
      session.remove(managed);
      session.flush();
      assertThat(managed.hasPendingEvents()).isFalse();
      transaction.rollback();
      assertThat(pending(managed)).containsExactly("removed");
    }
    assertThat(harness().stored()).isEmpty();
  }

  @Test
  default void aLostUpdateKeepsItsEventsAndARetryOnAFreshCopyStoresOnce() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    try (Session slow = harness().open()) {
      Transaction transaction = slow.beginTransaction();
      Ord stale = slow.find(Ord.class, order.id());
      harness().commit(session -> session.find(Ord.class, order.id()).rename("fast"));
      stale.rename("slow");
      stale.happen("slow");
      assertThatThrownBy(transaction::commit).hasRootCauseInstanceOf(Throwable.class);
      assertThat(pending(stale)).containsExactly("slow");
    }
    assertThat(harness().stored()).isEmpty();
    harness()
        .commit(
            session -> {
              Ord fresh = session.find(Ord.class, order.id());
              fresh.rename("slow");
              fresh.happen("slow");
            });
    assertThat(harness().stored()).containsExactly("slow");
  }

  @Test
  default void aConflictAtAnExplicitFlushIsTheOneHibernateReports() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    try (Session slow = harness().open()) {
      slow.beginTransaction();
      Ord stale = slow.find(Ord.class, order.id());
      harness().commit(session -> session.find(Ord.class, order.id()).rename("fast"));
      stale.rename("slow");
      stale.happen("slow");
      assertThatThrownBy(slow::flush).isInstanceOf(OptimisticLockException.class);
      slow.getTransaction().rollback();
    }
    assertThat(harness().stored()).isEmpty();
  }

  @Test
  default void theSecondTransactionOfASessionReturnsOnlyItsOwnEvents() {
    try (Session session = harness().open()) {
      Transaction first = session.beginTransaction();
      Ord order = new Ord("a");
      order.happen("first");
      session.persist(order);
      first.commit();
      Transaction second = session.beginTransaction();
      order.happen("second");
      session.flush();
      second.rollback();
      assertThat(pending(order)).containsExactly("second");
    }
    assertThat(harness().stored()).containsExactly("first");
  }

  @Test
  default void twoTransactionsAtOnceDoNotMix() {
    try (Session outer = harness().open()) {
      Transaction transaction = outer.beginTransaction();
      Ord kept = new Ord("a");
      kept.happen("outer");
      outer.persist(kept);
      outer.flush();
      Ord lost = new Ord("b");
      harness()
          .rollback(
              inner -> {
                lost.happen("inner");
                inner.persist(lost);
                inner.flush();
              });
      assertThat(pending(lost)).containsExactly("inner");
      transaction.commit();
    }
    assertThat(harness().stored()).containsExactly("outer");
  }

  private static List<String> pending(Thing thing) {
    return thing.pendingEvents().list().stream()
        .map(RaisedEvent::event)
        .map(event -> ((Happened) event).what())
        .toList();
  }
}
