// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Ord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.Interceptor;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.stat.Statistics;
import org.hibernate.type.Type;
import org.junit.jupiter.api.Test;

/** Capture neither disturbs what the application has set up nor is disturbed by it. */
public interface NeighbourCases extends CaptureSuite {

  @Test
  default void aSessionWithItsOwnInterceptorIsCapturedAndTheInterceptorCalled() {
    Recording recording = new Recording();
    try (Session session = harness().factory().withOptions().interceptor(recording).openSession()) {
      persistIn(session, "with an interceptor");
    }
    try (Session session = harness().factory().withOptions().noInterceptor().openSession()) {
      persistIn(session, "without one");
    }
    assertThat(harness().stored()).containsExactly("with an interceptor", "without one");
    assertThat(recording.persisted).containsExactly("Ord");
  }

  @Test
  default void aFactoryWithItsOwnInterceptorIsCapturedAndTheInterceptorCalled() {
    Recording recording = new Recording();
    try (Harness harness = harness(Map.of("hibernate.session_factory.interceptor", recording))) {
      try (Session session = harness.factory().openSession()) {
        persistIn(session, "x");
      }
      assertThat(harness.stored()).containsExactly("x");
      assertThat(recording.persisted).containsExactly("Ord");
    }
  }

  @Test
  default void aSessionScopedInterceptorIsCalledToo() {
    String setting = "hibernate.session_factory.session_scoped_interceptor";
    try (Harness harness = harness(Map.of(setting, SharedRecording.class.getName()))) {
      SharedRecording.PERSISTED.clear();
      try (Session session = harness.factory().openSession()) {
        persistIn(session, "x");
      }
      assertThat(harness.stored()).containsExactly("x");
      assertThat(SharedRecording.PERSISTED).containsExactly("Ord");
    }
  }

  @Test
  default void listenersAndStatisticsOfTheApplicationDoNotSeeTheOutbox() {
    List<Object> inserted = new ArrayList<>();
    try (Harness harness = harness(Map.of("hibernate.generate_statistics", "true"))) {
      harness
          .factory()
          .unwrap(SessionFactoryImplementor.class)
          .getEventEngine()
          .getListenerRegistry()
          .appendListeners(EventType.POST_INSERT, new Inserts(inserted));
      harness.commit(
          session -> {
            Ord order = new Ord("a");
            order.happen("x");
            session.persist(order);
          });
      Statistics statistics = harness.factory().getStatistics();
      assertThat(harness.stored()).containsExactly("x");
      assertThat(inserted).hasSize(1);
      assertThat(statistics.getEntityInsertCount()).isEqualTo(1);
    }
  }

  @Test
  default void theApplicationsNamingStrategyDoesNotTouchOurTables() {
    try (Harness harness =
        harness(
            Map.of(
                "hibernate.physical_naming_strategy",
                PhysicalNamingStrategySnakeCaseImpl.class.getName(),
                "hibernate.globally_quoted_identifiers",
                "true",
                "dddevents.outbox.table_prefix",
                "shop_"))) {
      harness.clear();
      harness.commit(
          session -> {
            Doc doc = new Doc("naming-" + System.nanoTime());
            doc.happen("x");
            session.persist(doc);
          });
      assertThat(harness.stored()).containsExactly("x");
      assertThat(harness().stored()).isEmpty();
    }
  }

  private static void persistIn(Session session, String what) {
    Transaction transaction = session.beginTransaction();
    Ord order = new Ord("a");
    order.happen(what);
    session.persist(order);
    transaction.commit();
  }

  /** Remembers what was persisted. */
  final class Recording implements Interceptor {

    final List<String> persisted = new ArrayList<>();

    @Override
    public boolean onPersist(
        Object entity, Object id, Object[] state, String[] names, Type[] types) {
      persisted.add(entity.getClass().getSimpleName());
      return false;
    }
  }

  /** One per session, made by Hibernate. */
  final class SharedRecording implements Interceptor {

    static final List<String> PERSISTED = new ArrayList<>();

    @Override
    public boolean onPersist(
        Object entity, Object id, Object[] state, String[] names, Type[] types) {
      PERSISTED.add(entity.getClass().getSimpleName());
      return false;
    }
  }

  /** Remembers what was inserted. */
  final class Inserts implements PostInsertEventListener {

    private static final long serialVersionUID = 1L;

    private final transient List<Object> inserted;

    Inserts(List<Object> inserted) {
      this.inserted = inserted;
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
      inserted.add(event.getEntity());
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
      return false;
    }
  }
}
