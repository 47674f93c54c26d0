// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.Aggregate;
import io.dddevents.EventContext;
import io.dddevents.EventOptions;
import io.dddevents.EventRefusedException;
import io.dddevents.outbox.Outbox;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.outbox.domain.Ord;
import jakarta.persistence.TransactionRequiredException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.junit.jupiter.api.Test;

/** Events without an aggregate, dedupe keys, and the context that travels along. */
public interface AppendCases extends CaptureSuite {

  @Test
  default void anAppendedEventCommitsWithTheTransaction() {
    harness()
        .commit(session -> assertThat(Outbox.append(session, new Happened("appended"))).isTrue());
    harness().rollback(session -> Outbox.append(session, new Happened("rolled back")));
    assertThat(harness().stored()).containsExactly("appended");
    assertThat(harness().rows().get(0).aggregateType()).isNull();
  }

  @Test
  default void anAppendedEventMayBelongToAnAggregate() {
    harness()
        .commit(
            session ->
                Outbox.append(
                    session,
                    new Happened("x"),
                    EventOptions.defaults(),
                    new Aggregate("Import", "7", null)));
    assertThat(harness().rows())
        .singleElement()
        .satisfies(row -> assertThat(row.aggregateType() + row.aggregateId()).isEqualTo("Import7"));
  }

  @Test
  default void appendingWithoutATransactionIsAnError() {
    try (Session session = harness().open()) {
      assertThatThrownBy(() -> Outbox.append(session, new Happened("x")))
          .isInstanceOf(TransactionRequiredException.class);
    }
    assertThat(harness().stored()).isEmpty();
  }

  @Test
  default void appendingInAStatelessSessionWorksToo() {
    harness()
        .commitStateless(
            session -> Outbox.append(session, new Happened("x"), EventOptions.defaults()));
    assertThat(harness().stored()).containsExactly("x");
  }

  @Test
  default void aDedupeKeyIsStoredOnceAndTheSecondTimeIsNoError() {
    EventOptions options = EventOptions.defaults().dedupeKey("request-1");
    harness()
        .commit(
            session -> {
              assertThat(Outbox.append(session, new Happened("1"), options)).isTrue();
              assertThat(Outbox.append(session, new Happened("2"), options)).isFalse();
            });
    harness()
        .commit(
            session -> {
              assertThat(Outbox.append(session, new Happened("3"), options)).isFalse();
              Doc doc = new Doc("dedupe-" + System.nanoTime());
              doc.happen("4", options);
              doc.happen("other key", EventOptions.defaults().dedupeKey("request-2"));
              doc.happen("no key");
              session.persist(doc);
            });
    assertThat(harness().stored()).containsExactly("1", "other key", "no key");
  }

  @Test
  default void aKeyThatWasRolledBackIsFree() {
    EventOptions options = EventOptions.defaults().dedupeKey("request-rolled-back");
    harness().rollback(session -> Outbox.append(session, new Happened("1"), options));
    harness().commit(session -> Outbox.append(session, new Happened("2"), options));
    assertThat(harness().stored()).containsExactly("2");
  }

  @Test
  default void keysThatLookAlikeAreDifferentKeys() {
    List<String> keys = List.of("abc", "ABC", "abc ", "âbc");
    harness()
        .commit(
            session ->
                keys.forEach(
                    key ->
                        assertThat(
                                Outbox.append(
                                    session,
                                    new Happened(key),
                                    EventOptions.defaults().dedupeKey(key)))
                            .isTrue()));
    assertThat(harness().stored()).containsExactlyElementsOf(keys);
  }

  @Test
  default void ofTwoTransactionsThatRaceForAKeyOneStoresAndTheOtherDoesNotFail() throws Exception {
    EventOptions options = EventOptions.defaults().dedupeKey("race");
    CountDownLatch firstHasIt = new CountDownLatch(1);
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(
            () -> {
              await(firstHasIt);
              return harness()
                  .load(session -> Outbox.append(session, new Happened("second"), options));
            });
    try (Session session = harness().open()) {
      Transaction transaction = session.beginTransaction();
      assertThat(Outbox.append(session, new Happened("first"), options)).isTrue();
      firstHasIt.countDown();
      // The second one cannot be through: it waits for our key, or has not begun.
      assertThat(second.isDone()).isFalse();
      transaction.commit();
    }
    assertThat(second.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(harness().stored()).containsExactly("first");
  }

  @Test
  default void aDedupeKeyMustNameTheTenant() {
    EventContext acme = EventContext.none().withTenant("acme");
    Ord order = new Ord("a");
    acme.run(
        () ->
            assertThatThrownBy(
                    () -> order.happen("x", EventOptions.defaults().dedupeKey("other/1")))
                .isInstanceOf(EventRefusedException.class));
    acme.run(() -> order.happen("y", EventOptions.defaults().dedupeKey("acme/1")));
    harness().commit(session -> session.persist(order));
    assertThat(harness().stored()).containsExactly("y");
  }

  @Test
  default void theContextIsTheOneOfTheRaiseNotOfTheFlush() {
    Ord order = new Ord("a");
    EventContext.none()
        .withTenant("acme")
        .withCorrelationId("c-1")
        .run(() -> order.happen("x", EventOptions.defaults().header("region", "süd & ost")));
    EventContext.none()
        .withTenant("other")
        .run(() -> harness().commit(session -> session.persist(order)));
    assertThat(harness().rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.tenant()).isEqualTo("acme");
              assertThat(row.correlationId()).isEqualTo("c-1");
              assertThat(row.headers()).isEqualTo("region=s%C3%BCd+%26+ost");
              assertThat(row.sha256()).hasSize(64);
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
