// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tables printed, run, compared and created, by code and from the command line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LeakGuard.class)
abstract class SchemaContract {

  private static final String WRONG_PASSWORD = "s3cret-but-wrong";

  private final Database database;

  SchemaContract(Database database) {
    this.database = database;
  }

  @AfterAll
  void drop() {
    database.close();
  }

  @Test
  void whatIsPrintedAndRunFits() throws SQLException {
    try (Connection connection = database.connect()) {
      OutboxSchema schema = schema(connection, "fits_");
      assertThat(schema.validate(connection)).hasSize(9).allMatch(it -> it.endsWith("is missing"));
      schema.statements().forEach(database::execute);
      assertThat(schema.validate(connection)).isEmpty();
      assertThat(schema.print()).contains("fits_outbox_event").doesNotContain("${");
    }
  }

  @Test
  void aMissingTableAndAMissingColumnAreNamed() throws SQLException {
    try (Connection connection = database.connect()) {
      OutboxSchema schema = schema(connection, "lacks_");
      schema.apply(connection);
      database.execute(
          "drop table lacks_outbox_dedupe", "alter table lacks_inbox_message drop column sha256");
      assertThat(schema.validate(connection))
          .containsExactly(
              "table lacks_outbox_dedupe is missing",
              "table lacks_inbox_message lacks the columns [sha256]");
    }
  }

  @Test
  void applyingTwiceChangesNothing() throws SQLException {
    try (Connection connection = database.connect()) {
      OutboxSchema schema = schema(connection, "twice_");
      schema.apply(connection);
      database.execute("insert into twice_outbox_relay values ('r', %1$s, %1$s)".formatted(now()));
      schema.lanes(128).apply(connection);
      assertThat(schema.validate(connection)).isEmpty();
    }
    assertThat(Units.count(database, "twice_outbox_lane")).isEqualTo(OutboxSchema.DEFAULT_LANES);
    assertThat(Units.count(database, "twice_outbox_schema")).isEqualTo(1);
    assertThat(Units.count(database, "twice_outbox_relay")).isEqualTo(1);
  }

  @Test
  void anotherVersionIsReported() throws SQLException {
    try (Connection connection = database.connect()) {
      OutboxSchema schema = schema(connection, "version_");
      schema.apply(connection);
      database.execute("update version_outbox_schema set version = 7");
      assertThat(schema.validate(connection))
          .singleElement()
          .asString()
          .contains("version 7", "version 1", "use the newer release");
      database.execute("delete from version_outbox_schema");
      assertThat(schema.validate(connection)).singleElement().asString().contains("version 0");
    }
  }

  @Test
  void theNumberOfLanesCanBeChosen() throws SQLException {
    try (Connection connection = database.connect()) {
      OutboxSchema schema = schema(connection, "lanes_").lanes(3);
      schema.apply(connection);
      assertThat(schema.countLanes(connection)).isEqualTo(3);
      schema(connection, "most_").lanes(1024).apply(connection);
      assertThat(Units.count(database, "most_outbox_lane")).isEqualTo(1024);
      assertThatThrownBy(() -> schema.lanes(0)).hasMessage("lanes must be from 1 to 1024, was 0");
      assertThatThrownBy(() -> schema.lanes(1025)).hasMessageContaining("was 1025");
    }
  }

  @Test
  void aSchemaOfAlmostTheSameNameIsNotMistakenForIt() throws SQLException {
    // In a search pattern '_' stands for any character.
    String id = Long.toString(System.nanoTime(), 36);
    String empty = "t" + id + "_1";
    String full = "t" + id + "x1";
    database.execute("create schema " + empty, "create schema " + full);
    try (Connection connection = database.connect()) {
      OutboxSchema.forDatabase(connection).schema(full).apply(connection);
      assertThat(OutboxSchema.forDatabase(connection).schema(full).validate(connection)).isEmpty();
      assertThat(OutboxSchema.forDatabase(connection).schema(empty).validate(connection))
          .hasSize(9)
          .contains("table " + empty + ".outbox_event is missing");
      assertThat(schema(connection, "shopX").validate(connection)).hasSize(9);
      schema(connection, "shopX").apply(connection);
      assertThat(schema(connection, "shop_").validate(connection)).hasSize(9);
    } finally {
      String cascade = database.kind() == Database.Kind.MARIADB ? "" : " cascade";
      database.execute("drop schema " + empty + cascade, "drop schema " + full + cascade);
    }
  }

  @Test
  void theCommandLineAppliesAndValidates() {
    assertThat(run("validate", "--prefix", "main_").exit()).isEqualTo(1);
    assertThat(run("validate", "--prefix", "main_").out())
        .contains("table main_outbox_event is missing", "print shows the SQL, apply runs it");
    Said applied = run("apply", "--prefix", "main_", "--lanes", "5");
    assertThat(applied.exit()).isZero();
    assertThat(applied.out()).contains("the tables are there, version 1");
    assertThat(Units.count(database, "main_outbox_lane")).isEqualTo(5);
    Said fits = run("validate", "--prefix", "main_");
    assertThat(fits.exit()).isZero();
    assertThat(fits.out().strip()).isEqualTo("the tables fit");
    assertThat(fits.err()).isEmpty();
  }

  @Test
  void aDatabaseThatSaysNoIsQuotedWithoutThePassword() {
    Said said = call(WRONG_PASSWORD, "validate", "--url", database.jdbcUrl(), "--user", "nobody");
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).startsWith("the database said: ").doesNotContain(WRONG_PASSWORD);
    assertThat(said.out()).isEmpty();
  }

  private Said run(String command, String... options) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(command, "--url", database.jdbcUrl(), "--user", database.user()));
    arguments.addAll(List.of(options));
    return call(database.password(), arguments.toArray(String[]::new));
  }

  static Said call(String password, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        SchemaMain.run(
            arguments,
            Map.of("DDD_DB_PASSWORD", password),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return new Said(exit, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static OutboxSchema schema(Connection connection, String prefix) throws SQLException {
    return OutboxSchema.forDatabase(connection).tablePrefix(prefix);
  }

  private String now() {
    return database.kind() == Database.Kind.MARIADB ? "utc_timestamp(6)" : "current_timestamp";
  }

  record Said(int exit, String out, String err) {}
}
