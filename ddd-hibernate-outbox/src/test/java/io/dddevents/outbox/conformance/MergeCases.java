// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.domain.Customer;
import io.dddevents.outbox.domain.Line;
import io.dddevents.outbox.domain.Ord;
import org.junit.jupiter.api.Test;

/** A merge copies state; events move with it. */
public interface MergeCases extends CaptureSuite {

  @Test
  default void mergingADetachedAggregateMovesItsEvents() {
    Ord order = persisted();
    order.rename("b");
    order.happen("renamed");
    harness().commit(session -> session.merge(order));
    assertThat(harness().stored()).containsExactly("renamed");
    assertThat(order.hasPendingEvents()).isFalse();
  }

  @Test
  default void mergingANewGraphMovesTheEventsOfAllItsParts() {
    Ord order = new Ord("a");
    order.happen("order");
    Line line = new Line("l");
    line.happen("line");
    order.lines().add(line);
    Customer customer = new Customer("c");
    customer.happen("customer");
    order.customer(customer);
    harness().commit(session -> session.merge(order));
    assertThat(harness().stored()).containsExactly("order", "line", "customer");
  }

  @Test
  default void mergingAgainAfterARollbackStoresOnce() {
    Ord order = persisted();
    order.rename("b");
    order.happen("renamed");
    harness()
        .rollback(
            session -> {
              session.merge(order);
              session.flush();
            });
    assertThat(order.pendingEvents().list()).hasSize(1);
    harness().commit(session -> session.merge(order));
    assertThat(harness().stored()).containsExactly("renamed");
  }

  @Test
  default void aRollbackBeforeTheFlushReturnsMergedEventsToTheirSource() {
    Ord order = persisted();
    order.happen("renamed");
    harness().rollback(session -> session.merge(order));
    assertThat(order.pendingEvents().list()).hasSize(1);
    harness().commit(session -> session.merge(order));
    assertThat(harness().stored()).containsExactly("renamed");
  }

  @Test
  default void whatTheManagedCopyRaisesItselfDoesNotReturnToTheSource() {
    Ord order = persisted();
    order.happen("from the source");
    harness()
        .rollback(
            session -> {
              session.merge(order).happen("on the copy");
              session.flush();
            });
    assertThat(order.pendingEvents().list())
        .singleElement()
        .satisfies(raised -> assertThat(raised.event().toString()).contains("from the source"));
  }

  private Ord persisted() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    return order;
  }
}
