// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.EventOptions;
import io.dddevents.EventRefusedException;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Ord;
import java.util.UUID;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.junit.jupiter.api.Test;

/** What cannot be stored cannot commit, also if the application looks away. */
public interface FailureCases extends CaptureSuite {

  /** A payload that no serializer takes: 300 KiB. */
  String TOO_LARGE = "x".repeat(300 * 1024);

  @Test
  default void anEventThatCannotBeStoredLetsTheCommitFail() {
    String id = "fail-" + System.nanoTime();
    assertThatThrownBy(
            () ->
                harness()
                    .commit(
                        session -> {
                          Doc doc = new Doc(id);
                          doc.happen(TOO_LARGE);
                          session.persist(doc);
                        }))
        .hasStackTraceContaining("test.happened")
        .hasStackTraceContaining("at most 262144");
    assertAbsent(id);
  }

  @Test
  default void aFailureSwallowedAtAnExplicitFlushStillPreventsTheCommit() {
    String id = "swallowed-" + System.nanoTime();
    Doc doc = new Doc(id);
    doc.happen(TOO_LARGE);
    endsRolledBack(
        session -> {
          session.persist(doc);
          assertThatThrownBy(session::flush).hasStackTraceContaining("at most 262144");
        });
    assertAbsent(id);
    assertThat(doc.pendingEvents().list()).hasSize(1);
  }

  @Test
  default void aFailureSwallowedAtAnAutomaticFlushStillPreventsTheCommit() {
    String id = "swallowed-auto-" + System.nanoTime();
    endsRolledBack(
        session -> {
          Doc doc = new Doc(id);
          doc.happen(TOO_LARGE);
          session.persist(doc);
          assertThatThrownBy(
                  () -> session.createSelectionQuery("from Doc", Doc.class).getResultList())
              .hasStackTraceContaining("at most 262144");
        });
    assertAbsent(id);
  }

  @Test
  default void twoEventsWithOneIdLetTheCommitFail() {
    UUID eventId = UUID.randomUUID();
    String id = "same-id-" + System.nanoTime();
    assertThatThrownBy(
            () ->
                harness()
                    .commit(
                        session -> {
                          Doc doc = new Doc(id);
                          doc.happen("1", EventOptions.defaults().id(eventId));
                          doc.happen("2", EventOptions.defaults().id(eventId));
                          session.persist(doc);
                        }))
        .hasStackTraceContaining(eventId.toString());
    assertAbsent(id);
  }

  @Test
  default void anEventOnAnAggregateThatWasLoadedReadOnlyIsRefused() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    assertThatThrownBy(
            () ->
                harness()
                    .commit(
                        session -> {
                          Ord managed = session.find(Ord.class, order.id());
                          session.setReadOnly(managed, true);
                          managed.rename("b");
                          managed.happen("never");
                        }))
        .satisfies(
            e ->
                assertThat(e)
                    .hasStackTraceContaining("read-only")
                    .hasStackTraceContaining(EventRefusedException.class.getName()));
    assertThat(harness().stored()).isEmpty();
  }

  @Test
  default void anAggregateIdThatIsTooLongIsRefused() {
    String id = "é".repeat(101);
    assertThatThrownBy(
            () ->
                harness()
                    .commit(
                        session -> {
                          Doc doc = new Doc(id);
                          doc.happen("x");
                          session.persist(doc);
                        }))
        .hasStackTraceContaining("aggregate id has 202 bytes; at most 200");
    assertAbsent(id);
  }

  private void endsRolledBack(java.util.function.Consumer<Session> work) {
    try (Session session = harness().open()) {
      Transaction transaction = session.beginTransaction();
      work.accept(session);
      assertThat(transaction.getRollbackOnly()).as("says at once that it cannot commit").isTrue();
      try {
        transaction.commit();
      } catch (RuntimeException e) {
        // Either way of saying no is fine.
      }
      assertThat(transaction.getStatus()).isNotEqualTo(TransactionStatus.COMMITTED);
    }
  }

  private void assertAbsent(String id) {
    assertThat(harness().stored()).isEmpty();
    try (Session session = harness().factory().openSession()) {
      assertThat(session.find(Doc.class, id)).isNull();
    }
  }
}
