// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.SchemaContract.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line without a database: what it prints, and how it answers wrong calls. */
final class SchemaMainTest {

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql", "PostgreSQL", "mariadb", "mysql"})
  void theSqlIsPrintedForEachDatabase(String database) {
    Said said = call("print", "--database", database, "--schema", "ops", "--prefix", "shop_");
    assertThat(said.exit()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("create table if not exists ops.shop_outbox_event (")
        .contains("constraint shop_outbox_event_id_unique")
        .doesNotContain("${");
  }

  @Test
  void theNumberOfLanesIsPrinted() {
    assertThat(call("print", "--database", "h2", "--lanes", "7").out()).contains("range(0, 7 - 1)");
  }

  @Test
  void aWrongCallSaysWhatIsWrongAndShowsTheUsage() {
    assertWrong("say print, validate or apply");
    assertWrong("say print, validate or apply", "drop");
    assertWrong("--database is missing", "print");
    assertWrong("--url is missing", "validate");
    assertWrong("--url is missing", "apply", "--user", "x");
    assertWrong("--schema needs a value", "print", "--database", "h2", "--schema");
    assertWrong("unknown option --password", "apply", "--password", "x");
    assertWrong("unknown option h2", "print", "h2");
    assertWrong(
        "--lanes must be a number, was 'many'", "print", "--database", "h2", "--lanes", "many");
    assertWrong("lanes must be from 1 to 1024, was 0", "print", "--database", "h2", "--lanes", "0");
    assertWrong("does not support the database 'oracle'", "print", "--database", "oracle");
    assertWrong("not a plain SQL name", "print", "--database", "h2", "--prefix", "x;drop table y");
  }

  @Test
  void aPasswordInTheUrlIsNotPrinted() {
    for (String url :
        new String[] {
          "jdbc:nosuch://host/db?user=u&password=s3cret",
          "jdbc:nosuch://u:s3cret@host/db",
          "jdbc:h2:mem:x;IFEXISTS=TRUE;PASSWORD=s3cret",
          "jdbc:postgresql://127.0.0.1:1/db?password=s3cret",
        }) {
      Said said = call("validate", "--url", url);
      assertThat(said.exit()).as(url).isEqualTo(2);
      assertThat(said.err()).as(url).startsWith("the database said: ");
      assertThat(said.out() + said.err()).as(url).doesNotContain("s3cret");
    }
  }

  private static void assertWrong(String message, String... arguments) {
    Said said = call(arguments);
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains(message).contains("usage: print");
    assertThat(said.out()).isEmpty();
  }

  private static Said call(String... arguments) {
    return SchemaContract.call("", arguments);
  }
}
