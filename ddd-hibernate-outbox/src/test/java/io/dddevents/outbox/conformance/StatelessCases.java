// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.outbox.conformance.Harness.Row;
import io.dddevents.outbox.domain.Customer;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Ord;
import jakarta.persistence.TransactionRequiredException;
import java.util.List;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.junit.jupiter.api.Test;

/** A stateless session has no flush: each operation stores what its aggregate has raised. */
public interface StatelessCases extends CaptureSuite {

  @Test
  default void insertUpdateUpsertAndDeleteAreCaptured() {
    String id = "stateless-" + System.nanoTime();
    harness()
        .commitStateless(
            session -> {
              Doc doc = new Doc(id);
              doc.happen("insert");
              session.insert(doc);
              doc.happen("update");
              session.update(doc);
              doc.happen("upsert");
              session.upsert(doc);
              doc.happen("delete");
              session.delete(doc);
            });
    assertThat(harness().stored()).containsExactly("insert", "update", "upsert", "delete");
    assertThat(harness().rows()).extracting(Row::aggregateId).containsOnly(id);
  }

  @Test
  default void severalInsertsKnowTheIdsThatTheDatabaseGave() {
    List<Customer> customers = List.of(new Customer("1"), new Customer("2"), new Customer("3"));
    customers.forEach(customer -> customer.happen(customer.name()));
    harness().commitStateless(session -> session.insertMultiple(customers));
    assertThat(harness().rows())
        .extracting(Row::aggregateId)
        .containsExactlyElementsOf(customers.stream().map(c -> String.valueOf(c.id())).toList());
  }

  @Test
  default void theVersionAfterAnUpdateIsStored() {
    Ord order = new Ord("a");
    harness().commitStateless(session -> session.insert(order));
    order.rename("b");
    order.happen("renamed");
    harness().commitStateless(session -> session.update(order));
    assertThat(harness().rows()).extracting(Row::version).containsExactly(1L);
  }

  @Test
  default void withoutATransactionNothingIsWritten() {
    String id = "no-tx-" + System.nanoTime();
    Doc doc = new Doc(id);
    doc.happen("x");
    try (StatelessSession session = harness().factory().openStatelessSession()) {
      assertThatThrownBy(() -> session.insert(doc))
          .isInstanceOf(TransactionRequiredException.class);
    }
    assertThat(harness().find(Doc.class, id)).isNull();
    assertThat(doc.hasPendingEvents()).isTrue();
  }

  @Test
  default void aRollbackReturnsTheEvents() {
    Doc doc = new Doc("stateless-rollback-" + System.nanoTime());
    doc.happen("x");
    try (StatelessSession session = harness().factory().openStatelessSession()) {
      Transaction transaction = session.beginTransaction();
      session.insert(doc);
      assertThat(doc.hasPendingEvents()).isFalse();
      transaction.rollback();
    }
    assertThat(doc.hasPendingEvents()).isTrue();
    assertThat(harness().stored()).isEmpty();
  }

  @Test
  default void aSwallowedFailureStillPreventsTheCommit() {
    String id = "stateless-swallowed-" + System.nanoTime();
    try (StatelessSession session = harness().factory().openStatelessSession()) {
      Transaction transaction = session.beginTransaction();
      Doc doc = new Doc(id);
      doc.happen(FailureCases.TOO_LARGE);
      assertThatThrownBy(() -> session.insert(doc)).hasStackTraceContaining("at most 262144");
      try {
        transaction.commit();
      } catch (RuntimeException e) {
        // Either way of saying no is fine.
      }
      assertThat(transaction.getStatus()).isNotEqualTo(TransactionStatus.COMMITTED);
    }
    assertThat(harness().find(Doc.class, id)).isNull();
  }
}
