// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.DomainEvent;
import io.dddevents.EventEnvelope;
import io.dddevents.EventSerializer;
import io.dddevents.RaisedEvent;
import io.dddevents.WireName;
import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A setting that is wrong lets no factory be built. */
final class SettingsTest {

  private final Database database = Database.h2();

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "dddevents.outbox.tabel_prefix, dddevents.outbox.table_prefix",
    "dddevents.outbox.enable, dddevents.outbox.enabled",
    "dddevents.outbox.Schema, dddevents.outbox.schema",
    "dddevents.outbox.serialiser, dddevents.outbox.serializer"
  })
  void anUnknownSettingIsRefusedWithTheOneThatWasProbablyMeant(String name, String meant) {
    assertRefused(name, "x", "unknown setting '" + name + "'; did you mean '" + meant + "'?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox; drop table x",
        "a.b",
        "\"x\"",
        "`x`",
        "größe",
        "1st",
        "x-y",
        "x y",
        "x\u0000",
        "order",
        "SELECT",
        "a123456789012345678901234567890123456789012345678901234567890123"
      })
  void namesThatAreNotPlainAreRefused(String name) {
    assertRefused(OutboxSettings.TABLE_PREFIX, name, OutboxSettings.TABLE_PREFIX);
    assertRefused(OutboxSettings.SCHEMA, name, OutboxSettings.SCHEMA);
    OutboxSchema schema = OutboxSchema.forDatabase("h2");
    assertThatThrownBy(() -> schema.tablePrefix(name)).isInstanceOf(OutboxException.class);
    assertThatThrownBy(() -> schema.schema(name)).isInstanceOf(OutboxException.class);
  }

  @Test
  void theLongestPrefixFitsIntoEveryName() {
    String longest = "p".repeat(30);
    for (String product : new String[] {"h2", "postgresql", "mariadb"}) {
      String sql = OutboxSchema.forDatabase(product).tablePrefix(longest).print();
      assertThat(sql.split("[^a-z0-9_]+"))
          .filteredOn(word -> word.startsWith(longest))
          .allMatch(word -> word.length() <= 63);
    }
    assertRefused(OutboxSettings.TABLE_PREFIX, longest + "p", "1 to 30 letters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OutboxSettings.ENABLED,
        OutboxSettings.LISTENERS,
        OutboxSettings.START_CHECK,
        OutboxSettings.SCHEMA_TOOL
      })
  void aSwitchIsTrueOrFalse(String name) {
    assertRefused(name, "maybe", name + " is 'maybe'; use true or false");
  }

  @Test
  void aSerializerOfTheWrongTypeIsRefused() {
    assertRefused(OutboxSettings.SERIALIZER, "java.lang.Object", "must be a io.dddevents.Event");
    assertRefused(OutboxSettings.EVENT_TYPES, "x", "must be a io.dddevents.EventTypes");
    assertRefused(OutboxSettings.SERIALIZER, NoConstructor.class, "constructor without arguments");
  }

  @Test
  void aSerializerMayBeNamedByItsClass() {
    for (Object given : new Object[] {Shouting.class.getName(), Shouting.class, new Shouting()}) {
      Map<String, Object> settings =
          Map.of("hibernate.hbm2ddl.auto", "update", OutboxSettings.SERIALIZER, given);
      try (Harness harness = new Harness(Units.start(database, settings))) {
        harness.clear();
        Doc doc = new Doc("doc-" + System.nanoTime());
        doc.happen("x");
        harness.commit(session -> session.persist(doc));
        assertThat(harness.stored()).containsExactly("HEY");
      }
    }
  }

  private void assertRefused(String name, Object value, String message) {
    Map<String, Object> settings = Map.of("hibernate.hbm2ddl.auto", "update", name, value);
    assertThatThrownBy(() -> start(settings).close())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(message);
  }

  private SessionFactory start(Map<String, Object> settings) {
    return Units.start(database, settings);
  }

  /** Says the same of every event. */
  public static final class Shouting implements EventSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] serialize(RaisedEvent raised, WireName type) {
      return new byte[] {'H', 'E', 'Y'};
    }

    @Override
    public DomainEvent deserialize(EventEnvelope envelope) {
      throw new UnsupportedOperationException();
    }
  }

  /** Cannot be made by name. */
  static final class NoConstructor {
    NoConstructor(String needed) {
      assertThat(needed).isNotNull();
    }
  }
}
