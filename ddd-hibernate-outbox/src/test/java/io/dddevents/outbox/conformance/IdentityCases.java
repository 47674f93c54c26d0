// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness.Row;
import io.dddevents.outbox.domain.Animal;
import io.dddevents.outbox.domain.Customer;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Dog;
import io.dddevents.outbox.domain.Imported;
import io.dddevents.outbox.domain.Ord;
import io.dddevents.outbox.domain.Seat;
import io.dddevents.outbox.domain.Shelf;
import io.dddevents.outbox.domain.Thing;
import io.dddevents.outbox.domain.Token;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.junit.jupiter.api.Test;

/** Each event names the right aggregate, whatever its id and however it was reached. */
public interface IdentityCases extends CaptureSuite {

  @Test
  default void anIdGivenByTheDatabaseIsKnown() {
    Customer customer = new Customer("c");
    customer.happen("x");
    harness().commit(session -> session.persist(customer));
    assertNamed("Customer", String.valueOf(customer.id()));
  }

  @Test
  default void anIdGivenByTheDatabaseBeforeTheTransactionBeganIsKnown() {
    Customer customer = new Customer("c");
    customer.happen("x");
    try (Session session = harness().open()) {
      session.persist(customer);
      Transaction transaction = session.beginTransaction();
      transaction.commit();
    }
    assertNamed("Customer", String.valueOf(customer.id()));
  }

  @Test
  default void aUuidIsWrittenInItsUsualForm() {
    Token token = new Token("t");
    token.happen("x");
    harness().commit(session -> session.persist(token));
    assertNamed("Token", token.id().toString());
  }

  @Test
  default void anAssignedIdIsWrittenAsItIs() {
    Doc doc = new Doc("Größe/1 é");
    doc.happen("x");
    harness().commit(session -> session.persist(doc));
    assertNamed("Doc", "Größe/1 é");
  }

  @Test
  default void anEmbeddedIdIsWrittenByItsParts() {
    Seat seat = new Seat("A & B", 7);
    seat.happen("x");
    harness().commit(session -> session.persist(seat));
    assertNamed("Seat", "hall=A+%26+B&number=7");
  }

  @Test
  default void anIdOfSeveralAttributesIsWrittenByItsParts() {
    Shelf shelf = new Shelf("north", 3);
    shelf.happen("x");
    harness().commit(session -> session.persist(shelf));
    assertNamed("Shelf", "aisle=north&level=3");
  }

  @Test
  default void theIdOfARemovedAggregateIsKnownAlsoWithIdentifierRollback() {
    try (Harness harness = harness(Map.of("hibernate.use_identifier_rollback", "true"))) {
      Ord order = new Ord("a");
      harness.commit(session -> session.persist(order));
      Long id = order.id();
      harness.commit(
          session -> {
            Ord managed = session.find(Ord.class, id);
            managed.happen("removed");
            session.remove(managed);
          });
      assertNamed("Ord", String.valueOf(id));
    }
  }

  @Test
  default void aSubclassIsNamedByItsOwnEntityNameAlsoThroughAProxyOfTheRoot() {
    Dog dog = new Dog();
    harness().commit(session -> session.persist(dog));
    harness()
        .commit(
            session -> {
              Animal proxy = session.getReference(Animal.class, dog.id());
              proxy.happen("barked");
            });
    assertNamed("Hound", String.valueOf(dog.id()));
  }

  @Test
  default void eventsRaisedThroughAProxyAreStoredAlsoFromAFinalMethod() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Thing proxy = session.getReference(Ord.class, order.id());
              proxy.happenFinally("final");
              proxy.happen("not final");
            });
    assertThat(harness().stored()).containsExactly("final", "not final");
  }

  @Test
  default void anAggregateThatDelegatesInsteadOfExtendingIsCaptured() {
    Imported imported = new Imported("i-" + System.nanoTime());
    imported.happen("x");
    harness().commit(session -> session.persist(imported));
    assertThat(harness().stored()).containsExactly("x");
  }

  @Test
  default void theVersionIsTheOneAfterTheUpdate() {
    Ord order = new Ord("a");
    order.happen("created");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.rename("b");
              managed.happen("renamed");
            });
    assertThat(harness().rows()).extracting(Row::version).containsExactly(0L, 1L);
    assertThat(harness().find(Ord.class, order.id()).version()).isEqualTo(1L);
  }

  @Test
  default void eventsOfSeveralAggregatesStandInRaiseOrder() {
    harness()
        .commit(
            session -> {
              Doc one = new Doc("order-1-" + System.nanoTime());
              Ord two = new Ord("2");
              Customer three = new Customer("3");
              session.persist(three);
              session.persist(one);
              session.persist(two);
              two.happen("1st");
              one.happen("2nd");
              three.happen("3rd");
              two.happen("4th");
            });
    assertThat(harness().stored()).containsExactly("1st", "2nd", "3rd", "4th");
  }

  @Test
  default void eventsOfOneAggregateShareALane() {
    harness()
        .commit(
            session -> {
              Ord order = new Ord("a");
              session.persist(order);
              order.happen("1");
              session.flush();
              order.happen("2");
            });
    assertThat(harness().rows()).extracting(Row::lane).hasSize(2).containsOnly(lane(0));
  }

  private int lane(int row) {
    return harness().rows().get(row).lane();
  }

  private void assertNamed(String type, String id) {
    assertThat(harness().rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.aggregateType()).isEqualTo(type);
              assertThat(row.aggregateId()).isEqualTo(id);
            });
  }
}
