// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.domain.Customer;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Ledger;
import io.dddevents.outbox.domain.Line;
import io.dddevents.outbox.domain.Ord;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.junit.jupiter.api.Test;

/** When an aggregate is written, its events are, once and in raise order. */
public interface FlushCases extends CaptureSuite {

  @Test
  default void persistingANewAggregateStoresItsEvent() {
    Ord order = new Ord("a");
    order.happen("created");
    harness().commit(session -> session.persist(order));
    assertThat(harness().rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.what()).isEqualTo("created");
              assertThat(row.aggregateType()).isEqualTo("Ord");
              assertThat(row.aggregateId()).isEqualTo(String.valueOf(order.id()));
              assertThat(row.type()).isEqualTo("test.happened");
            });
    assertThat(order.hasPendingEvents()).isFalse();
  }

  @Test
  default void partsAndAssociatesReachedOnlyByCascadeAreCapturedToo() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              Line line = new Line("l");
              line.happen("line");
              Customer customer = new Customer("c");
              customer.happen("customer");
              managed.lines().add(line);
              managed.customer(customer);
              managed.happen("order");
            });
    assertThat(harness().stored()).containsExactly("line", "customer", "order");
    assertThat(harness().rows()).noneMatch(row -> row.aggregateId().equals("null"));
  }

  @Test
  default void anOrphanThatIsRemovedByTheFlushIsCaptured() {
    Ord order = new Ord("a");
    order.lines().add(new Line("l"));
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Line line = session.find(Ord.class, order.id()).lines().remove(0);
              line.happen("orphaned");
            });
    assertThat(harness().stored()).containsExactly("orphaned");
  }

  @Test
  default void persistingAndRemovingInOneTransactionKeepsBothEvents() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              order.happen("created");
              session.persist(order);
              order.happen("removed");
              session.remove(order);
            });
    assertThat(harness().stored()).containsExactly("created", "removed");
  }

  @Test
  default void aRemovedAggregateIsCapturedWithItsId() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.happen("removed");
              session.remove(managed);
            });
    assertThat(harness().rows())
        .singleElement()
        .satisfies(row -> assertThat(row.aggregateId()).isEqualTo(String.valueOf(order.id())));
  }

  @Test
  default void anEventRaisedOnARemovedAggregateAfterTheFlushIsCaptured() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              session.remove(managed);
              session.flush();
              managed.happen("afterwards");
            });
    assertThat(harness().stored()).containsExactly("afterwards");
  }

  @Test
  default void anEventWithoutAChangeOfStateIsStored() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness().commit(session -> session.find(Ord.class, order.id()).happen("looked at"));
    assertThat(harness().stored()).containsExactly("looked at");
  }

  @Test
  default void anEventAfterTheLastExplicitFlushIsStored() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              session.persist(order);
              session.flush();
              order.happen("late");
            });
    assertThat(harness().stored()).containsExactly("late");
  }

  @Test
  default void severalFlushesStoreEveryEventOnce() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              session.persist(order);
              for (int i = 1; i <= 4; i++) {
                order.rename("a" + i);
                order.happen("flush " + i);
                session.flush();
              }
            });
    assertThat(harness().stored()).containsExactly("flush 1", "flush 2", "flush 3", "flush 4");
  }

  @Test
  default void anAutomaticFlushThatIsExecutedStoresOnce() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              order.happen("before the query");
              session.persist(order);
              session.createSelectionQuery("from Ord", Ord.class).getResultList();
              assertThat(order.hasPendingEvents()).isFalse();
            });
    assertThat(harness().stored()).containsExactly("before the query");
  }

  @Test
  default void anAutomaticFlushThatIsNotNeededLeavesTheEventsToTheNextOne() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.rename("b");
              managed.happen("waits");
              session.createSelectionQuery("from Doc", Doc.class).getResultList();
              session.createSelectionQuery("from Doc", Doc.class).getResultList();
              assertThat(managed.hasPendingEvents()).isTrue();
            });
    assertThat(harness().stored()).containsExactly("waits");
  }

  @Test
  default void aNativeQueryOrABulkStatementFlushesAndStores() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              order.happen("native");
              session.persist(order);
              session.createNativeQuery("select count(*) from t_order", Long.class).getResultList();
              order.happen("bulk");
              session
                  .createMutationQuery("update Ord set name = 'x' where name = 'y'")
                  .executeUpdate();
              order.happen("forced");
              session.setHibernateFlushMode(FlushMode.ALWAYS);
              session.createSelectionQuery("from Doc", Doc.class).getResultList();
            });
    assertThat(harness().stored()).containsExactly("native", "bulk", "forced");
  }

  @Test
  default void flushModeCommitStoresAtCommit() {
    harness()
        .commit(
            session -> {
              session.setHibernateFlushMode(FlushMode.COMMIT);
              Ord order = new Ord("a");
              order.happen("at commit");
              session.persist(order);
              session.createSelectionQuery("from Ord", Ord.class).getResultList();
              assertThat(order.hasPendingEvents()).isTrue();
            });
    assertThat(harness().stored()).containsExactly("at commit");
  }

  @Test
  default void flushModeManualWritesNeitherStateNorEvents() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              session.setHibernateFlushMode(FlushMode.MANUAL);
              Ord managed = session.find(Ord.class, order.id());
              managed.rename("b");
              managed.happen("never");
            });
    assertThat(harness().stored()).isEmpty();
    assertThat(harness().find(Ord.class, order.id()).name()).isEqualTo("a");
  }

  @Test
  default void whatIsClearedOrDetachedBeforeTheFlushIsWrittenNeitherAsStateNorAsEvent() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord detached = session.find(Ord.class, order.id());
              detached.rename("b");
              detached.happen("detached");
              session.detach(detached);
              Ord cleared = session.find(Ord.class, order.id());
              cleared.rename("c");
              cleared.happen("cleared");
              session.clear();
            });
    assertThat(harness().stored()).isEmpty();
    assertThat(harness().find(Ord.class, order.id()).name()).isEqualTo("a");
  }

  @Test
  default void aRefreshGivesUpEventsRaisedBeforeItAndKeepsThoseAfterIt() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.rename("b");
              managed.happen("given up");
              session.refresh(managed);
              managed.happen("kept");
            });
    assertThat(harness().stored()).containsExactly("kept");
  }

  @Test
  default void anImmutableAggregateStoresTheEventOfItsCreation() {
    harness()
        .commit(
            session -> {
              Ledger ledger = new Ledger("immutable-" + System.nanoTime());
              ledger.happen("booked");
              session.persist(ledger);
            });
    assertThat(harness().stored()).containsExactly("booked");
  }

  @Test
  default void fiveHundredEventsInOneFlushStandInOrder() {
    List<String> all = IntStream.range(0, 500).mapToObj(Integer::toString).toList();
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              all.forEach(order::happen);
              session.persist(order);
            });
    assertThat(harness().stored()).containsExactlyElementsOf(all);
  }

  @Test
  default void manyFlushesLeaveNothingInTheSession() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              session.persist(order);
              for (int flush = 0; flush < 400; flush++) {
                for (int i = 0; i < 25; i++) {
                  order.happen("x");
                }
                session.flush();
              }
              assertThat(session.getStatistics().getEntityCount()).isEqualTo(1);
            });
    assertThat(harness().count("outbox_event")).isEqualTo(10_000);
  }

  @Test
  default void twoTransactionsOnOneSessionStoreEachItsOwn() {
    try (Session session = harness().open()) {
      Transaction first = session.beginTransaction();
      Ord order = new Ord("a");
      order.happen("first");
      session.persist(order);
      first.commit();
      Transaction second = session.beginTransaction();
      order.happen("second");
      second.commit();
    }
    assertThat(harness().stored()).containsExactly("first", "second");
  }
}
