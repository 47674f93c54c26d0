// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Customer;
import io.dddevents.outbox.domain.Domain;
import io.dddevents.outbox.domain.Ord;
import io.dddevents.testsupport.Database;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.classloading.internal.TcclLookupPrecedence;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.ManagedEntity;
import org.hibernate.engine.spi.PersistentAttributeInterceptable;
import org.hibernate.engine.spi.SelfDirtinessTracker;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.Test;

/** The suite as {@link EnhancedCaptureTest} runs it, inside of an {@link EnhancingLoader}. */
final class EnhancedCapture extends DatabaseCapture {

  EnhancedCapture() {
    super(Database.h2());
  }

  /** Hibernate shall find the services of this class loader before those of its own. */
  @Override
  protected SessionFactory build(Map<String, Object> settings) {
    BootstrapServiceRegistryBuilder bootstrap = new BootstrapServiceRegistryBuilder();
    bootstrap.applyTcclLookupPrecedence(TcclLookupPrecedence.BEFORE);
    Configuration configuration = new Configuration(bootstrap.build());
    settings.forEach((name, value) -> configuration.getProperties().put(name, value));
    Domain.ENTITIES.forEach(configuration::addAnnotatedClass);
    return configuration.buildSessionFactory();
  }

  @Test
  void theEntitiesAreEnhanced() {
    assertThat(Domain.ENTITIES)
        .allMatch(ManagedEntity.class::isAssignableFrom)
        .allMatch(PersistentAttributeInterceptable.class::isAssignableFrom)
        .allMatch(SelfDirtinessTracker.class::isAssignableFrom);
  }

  @Test
  void anEventOnAReferenceThatWasNotLoadedIsStoredWithoutASelect() {
    Customer customer = new Customer("c");
    harness().commit(session -> session.persist(customer));
    Statements statements = new Statements();
    try (Harness watched =
        harness(Map.of("hibernate.session_factory.statement_inspector", statements))) {
      statements.sql.clear();
      watched.commit(
          session -> {
            Customer reference = session.getReference(Customer.class, customer.id());
            reference.happen("on a reference");
            reference.happenFinally("from a final method");
            session.flush();
            assertThat(Hibernate.isInitialized(reference)).isFalse();
          });
      assertThat(statements.sql).isEmpty();
    }
    assertThat(harness().stored()).containsExactly("on a reference", "from a final method");
    assertThat(harness().rows())
        .allSatisfy(row -> assertThat(row.aggregateId()).isEqualTo(String.valueOf(customer.id())));
  }

  @Test
  void aLazyAssociationIsCapturedWithoutASelectOfItsTarget() {
    Ord order = new Ord("a");
    order.customer(new Customer("c"));
    harness().commit(session -> session.persist(order));
    harness()
        .commit(
            session -> {
              Customer lazy = session.find(Ord.class, order.id()).customer();
              lazy.happen("on the associate");
              assertThat(Hibernate.isInitialized(lazy)).isFalse();
            });
    assertThat(harness().stored()).containsExactly("on the associate");
  }

  /** What Hibernate prepares; capture's own statement does not go through it. */
  private static final class Statements implements StatementInspector {

    private static final long serialVersionUID = 1L;

    private final transient List<String> sql = new CopyOnWriteArrayList<>();

    @Override
    public String inspect(String statement) {
      sql.add(statement);
      return statement;
    }
  }
}
