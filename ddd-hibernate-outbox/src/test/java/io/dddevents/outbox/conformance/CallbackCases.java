// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Line;
import io.dddevents.outbox.domain.Ord;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.junit.jupiter.api.Test;

/** Events raised in JPA callbacks are events like others. */
public interface CallbackCases extends CaptureSuite {

  @Test
  default void eventsRaisedWhilePersistingAreStored() {
    Ord order = new Ord("a");
    order.raiseIn("PrePersist", "PostPersist");
    harness().commit(session -> session.persist(order));
    assertThat(harness().stored()).containsExactly("PrePersist", "PostPersist");
  }

  @Test
  default void eventsRaisedWhileUpdatingAreStored() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.raiseIn("PreUpdate", "PostUpdate");
              managed.rename("b");
            });
    assertThat(harness().stored()).containsExactly("PreUpdate", "PostUpdate");
  }

  @Test
  default void eventsRaisedWhileRemovingAreStored() {
    Ord order = new Ord("a");
    order.lines().add(new Line("l"));
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.raiseIn("PreRemove", "PostRemove");
              managed.happen("before");
              session.remove(managed);
            });
    assertThat(harness().stored()).containsExactly("before", "PreRemove", "PostRemove");
  }

  /**
   * Hibernate's doing: an automatic flush that proves unnecessary has called the callback already,
   * and the real flush calls it again. Raise in the aggregate's own methods instead.
   */
  @Test
  default void anEventRaisedInPreUpdateIsRaisedTwiceIfAnUnneededFlushCameFirst() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              managed.raiseIn("PreUpdate");
              managed.rename("b");
              session.createSelectionQuery("from Doc", Doc.class).getResultList();
            });
    assertThat(harness().stored()).containsExactly("PreUpdate", "PreUpdate");
  }

  @Test
  default void anEventAndAChangeMadeInABeforeCompletionCallbackAreStored() {
    Ord order = new Ord("a");
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Ord managed = session.find(Ord.class, order.id());
              BeforeCompletionCallback callback =
                  ignored -> {
                    managed.rename("z");
                    managed.happen("in the callback");
                  };
              session
                  .unwrap(SharedSessionContractImplementor.class)
                  .getTransactionCompletionCallbacks()
                  .registerCallback(callback);
            });
    assertThat(harness().stored()).containsExactly("in the callback");
    assertThat(harness().find(Ord.class, order.id()).name()).isEqualTo("z");
  }
}
