// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dddevents.outbox.conformance.Harness;
import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A factory whose tables do not fit is not built, and the message is the way out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LeakGuard.class)
abstract class StartContract {

  final Database database;

  StartContract(Database database) {
    this.database = database;
  }

  @AfterAll
  void drop() {
    database.close();
  }

  @Test
  void theSqlInTheMessageMakesTheNextStartSucceed() {
    OutboxException refused = refused("a_");
    assertThat(refused)
        .hasMessageContaining("table a_outbox_event is missing")
        .hasMessageContaining("dddevents.outbox.enabled=false");
    String message = String.valueOf(refused.getMessage());
    run(message.substring(message.indexOf("\n\n")));
    try (Harness harness = started("a_")) {
      Doc doc = new Doc("start-" + System.nanoTime());
      doc.happen("x");
      harness.commit(session -> session.persist(doc));
      assertThat(harness.stored()).containsExactly("x");
    }
  }

  @Test
  void aTableThatLacksAColumnIsRefused() {
    schema("b_").statements().forEach(database::execute);
    database.execute("alter table b_outbox_event drop column traceparent");
    assertThat(refused("b_"))
        .hasMessageContaining("table b_outbox_event lacks the columns [traceparent]");
  }

  @Test
  void tablesOfAnotherVersionAreRefused() {
    schema("c_").statements().forEach(database::execute);
    database.execute("insert into c_outbox_schema (version) values (2)");
    assertThat(refused("c_"))
        .hasMessageContaining("the tables have version 2, this release works with version 1")
        .hasMessageContaining("use the newer release");
  }

  @Test
  void anOutboxWithoutLanesIsRefused() {
    schema("d_").statements().forEach(database::execute);
    database.execute("delete from d_outbox_lane");
    assertThat(refused("d_")).hasMessageContaining("table d_outbox_lane has no rows");
  }

  @Test
  void theTablesMayStandInAnotherSchema() {
    String other = "other_" + Long.toString(System.nanoTime(), 36);
    database.execute("create schema " + other);
    try (SessionFactory factory =
            Units.start(
                database,
                Map.of("hibernate.hbm2ddl.auto", "update", OutboxSettings.SCHEMA, other));
        Harness harness = new Harness(factory, SessionFactory::openSession, other + ".")) {
      Doc doc = new Doc("schema-" + System.nanoTime());
      doc.happen("x");
      harness.commit(session -> session.persist(doc));
      assertThat(harness.stored()).containsExactly("x");
    } finally {
      String cascade = database.kind() == Database.Kind.MARIADB ? "" : " cascade";
      database.execute("drop schema " + other + cascade);
    }
  }

  OutboxSchema schema(String prefix) {
    return OutboxSchema.forDatabase(
            database.kind() == Database.Kind.POSTGRES ? "PostgreSQL" : database.kind().name())
        .tablePrefix(prefix);
  }

  private OutboxException refused(String prefix) {
    return catchThrowableOfType(OutboxException.class, () -> started(prefix).close());
  }

  private Harness started(String prefix) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("hibernate.hbm2ddl.auto", "update");
    settings.put(OutboxSettings.SCHEMA_TOOL, "false");
    settings.put(OutboxSettings.TABLE_PREFIX, prefix);
    return new Harness(Units.start(database, settings), SessionFactory::openSession, prefix);
  }

  /** As a person would, with a client that takes statement by statement. */
  private void run(String script) {
    String sql =
        script.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    Arrays.stream(sql.split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .forEach(database::execute);
  }
}
