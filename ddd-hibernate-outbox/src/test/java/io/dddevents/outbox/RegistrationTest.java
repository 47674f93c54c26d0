// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.testsupport.Database;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceConfiguration;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.Interceptor;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.hibernate.type.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar on the class path is all that an application needs, however it starts Hibernate. */
final class RegistrationTest {

  private static final Map<String, String> CREATE = Map.of("hibernate.hbm2ddl.auto", "create");

  private final Database database = Database.h2();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aPersistenceXmlNeedsNothingOfOurs(@TempDir Path folder) throws Exception {
    Path file = Files.createDirectories(folder.resolve("META-INF")).resolve("persistence.xml");
    Files.writeString(
        file,
        """
        <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
          <persistence-unit name="shop" transaction-type="RESOURCE_LOCAL">
            <class>%s</class>
            <exclude-unlisted-classes>true</exclude-unlisted-classes>
            <properties>
              <property name="jakarta.persistence.jdbc.url" value="%s"/>
              <property name="jakarta.persistence.jdbc.user" value="%s"/>
              <property name="jakarta.persistence.jdbc.password" value="%s"/>
              <property name="hibernate.hbm2ddl.auto" value="create"/>
            </properties>
          </persistence-unit>
        </persistence>
        """
            .formatted(
                Doc.class.getName(), database.jdbcUrl(), database.user(), database.password()),
        UTF_8);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader unit = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(unit);
      assertCaptured(Persistence.createEntityManagerFactory("shop"));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void aPersistenceConfigurationNeedsNothingOfOurs() {
    PersistenceConfiguration configuration =
        new PersistenceConfiguration("shop").managedClass(Doc.class).properties(CREATE);
    Connections.to(database).forEach(configuration::property);
    assertCaptured(configuration.createEntityManagerFactory());
  }

  @Test
  void aHibernatePersistenceConfigurationNeedsNothingOfOurs() {
    HibernatePersistenceConfiguration configuration =
        new HibernatePersistenceConfiguration("shop").managedClass(Doc.class).properties(CREATE);
    Connections.to(database).forEach(configuration::property);
    assertCaptured(configuration.createEntityManagerFactory());
  }

  @Test
  void aNativeConfigurationNeedsNothingOfOurs() {
    assertCaptured(Units.start(database, CREATE));
  }

  private void assertCaptured(EntityManagerFactory factory) {
    try (Harness harness = new Harness(factory.unwrap(SessionFactory.class))) {
      harness.commit(session -> session.persist(doc("x")));
      assertThat(harness.stored()).containsExactly("x");
    }
    assertThat(Units.tables(database))
        .contains("t_doc", "outbox_event", "outbox_lane", "inbox_message");
  }

  @Test
  void switchedOffThereAreNeitherTablesNorCapture() {
    Map<String, String> settings = new HashMap<>(CREATE);
    settings.put(OutboxSettings.ENABLED, "false");
    Doc doc = doc("x");
    try (Harness harness = new Harness(Units.start(database, settings))) {
      harness.commit(session -> session.persist(doc));
      assertThatThrownBy(() -> harness.commit(session -> Outbox.append(session, new Happened("x"))))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("dddevents.outbox.enabled");
    }
    assertThat(doc.hasPendingEvents()).isTrue();
    assertThat(Units.tables(database)).containsExactly("t_doc");
  }

  @Test
  void aUnitWithoutAggregatesStartsWithoutTheTables() {
    try (SessionFactory factory = Units.start(database, Map.of(), Note.class)) {
      assertThat(factory.isOpen()).isTrue();
    }
    assertThat(Units.tables(database)).isEmpty();
  }

  @Test
  void theInterceptorOfTheConfigurationIsCalledToo() {
    List<String> persisted = new ArrayList<>();
    Interceptor interceptor =
        new Interceptor() {
          @Override
          public boolean onPersist(
              Object entity, Object id, Object[] state, String[] names, Type[] types) {
            persisted.add(entity.getClass().getSimpleName());
            return false;
          }
        };
    Configuration configuration =
        new Configuration().addAnnotatedClass(Doc.class).setInterceptor(interceptor);
    configuration.getProperties().putAll(Connections.to(database));
    configuration.getProperties().putAll(CREATE);
    assertCaptured(configuration.buildSessionFactory());
    assertThat(persisted).containsExactly("Doc");
  }

  @Test
  void twoFactoriesInOneJvmAreIndependent() {
    Map<String, String> snake = new HashMap<>(CREATE);
    snake.put(OutboxSettings.TABLE_PREFIX, "shop_");
    snake.put(
        "hibernate.physical_naming_strategy", PhysicalNamingStrategySnakeCaseImpl.class.getName());
    Map<String, String> other = Map.of("hibernate.hbm2ddl.auto", "update");
    try (Harness shop = harness(snake, "shop_");
        Harness stock = harness(other, "")) {
      shop.commit(session -> session.persist(doc("shop")));
      stock.commit(session -> session.persist(doc("stock")));
      shop.commit(session -> session.persist(doc("shop again")));
      assertThat(shop.stored()).containsExactly("shop", "shop again");
      assertThat(stock.stored()).containsExactly("stock");
    }
  }

  @Test
  void theSchemaToolNeverDropsTheOutbox() {
    for (String action : List.of("create", "update", "create", "create-drop", "update")) {
      try (Harness harness = harness(Map.of("hibernate.hbm2ddl.auto", action), "")) {
        harness.commit(session -> session.persist(doc(action)));
      }
    }
    assertThat(Units.count(database, "outbox_event")).isEqualTo(5);
    assertThat(Units.count(database, "outbox_lane")).isEqualTo(OutboxSchema.DEFAULT_LANES);
    assertThat(Units.count(database, "outbox_schema")).isEqualTo(1);
  }

  @Test
  void theSchemaToolCanBeKeptAway() {
    Map<String, String> settings = new HashMap<>(CREATE);
    settings.put(OutboxSettings.SCHEMA_TOOL, "false");
    settings.put(OutboxSettings.START_CHECK, "false");
    try (SessionFactory factory = Units.start(database, settings)) {
      assertThat(factory.isOpen()).isTrue();
    }
    assertThat(Units.tables(database)).containsExactly("t_doc");
  }

  @Test
  void aFactoryWhoseStartWasRefusedLeavesNoConnectionOpen() {
    assertThatThrownBy(() -> Units.start(database, Map.of())).isInstanceOf(OutboxException.class);
    assertThat(Units.count(database, "information_schema.sessions")).as("only ours").isEqualTo(1);
  }

  private Harness harness(Map<String, String> settings, String prefix) {
    return new Harness(Units.start(database, settings), SessionFactory::openSession, prefix);
  }

  private static Doc doc(String what) {
    Doc doc = new Doc("doc-" + System.nanoTime());
    doc.happen(what);
    return doc;
  }
}
