// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import io.dddevents.outbox.domain.Domain;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * The whole suite: what a way of capturing must do, whatever the database, the Hibernate version or
 * the bootstrap. Extend it, name the connection, and override {@link #build} or {@link #open} to
 * try another way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CaptureConformance
    implements FlushCases,
        CallbackCases,
        IdentityCases,
        MergeCases,
        RollbackCases,
        FailureCases,
        StatelessCases,
        AppendCases,
        NeighbourCases,
        ConcurrencyCases {

  private Harness harness;

  /** The JDBC settings of an empty database that lives as long as this class. */
  protected abstract Map<String, Object> connection();

  /** Builds a factory with the suite's entities; the schema tool creates all tables. */
  protected SessionFactory build(Map<String, Object> settings) {
    Configuration configuration = new Configuration();
    settings.forEach((name, value) -> configuration.getProperties().put(name, value));
    Domain.ENTITIES.forEach(configuration::addAnnotatedClass);
    return configuration.buildSessionFactory();
  }

  /** Opens a session whose events are captured. */
  protected Session open(SessionFactory factory) {
    return factory.openSession();
  }

  @Override
  public Harness harness() {
    return harness;
  }

  @Override
  public Harness harness(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(connection());
    all.put("hibernate.hbm2ddl.auto", "update");
    all.putAll(settings);
    return new Harness(
        build(all),
        this::open,
        String.valueOf(settings.getOrDefault("dddevents.outbox.table_prefix", "")));
  }

  @BeforeAll
  void start() {
    harness = harness(Map.of());
  }

  @BeforeEach
  void clear() {
    harness.clear();
  }

  @AfterAll
  void stop() {
    harness.close();
  }
}
