// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class H2FileTest {
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws Exception {
      Database database = Database.h2File(Path.of(args[0]));
      try (var connection = database.connect();
          var statement = connection.createStatement()) {
        statement.execute("create table frog (id int)");
        statement.execute("insert into frog values (1)");
        connection.setAutoCommit(false);
        statement.execute("insert into frog values (2)");
        FailPoints.reach("before commit");
      }
    }
  }

  @Test
  void keepsWhatAKilledJvmCommittedAndNothingElse(@TempDir Path folder)
      throws SQLException, IOException {
    try (Database database = Database.h2File(folder)) {
      try (ChildJvm child =
          ChildJvm.of(Writer.class).args(folder.toString()).failPoints("before commit").start()) {
        child.awaitFailPoint("before commit");
        child.kill();
      }
      assertThat(Queries.number(database, "select sum(id) from frog")).isEqualTo(1);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(file -> file.toString().endsWith(".mv.db"))).isEmpty();
    }
  }
}
