// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.MariaDbServer;
import io.dddevents.testsupport.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/** The database itself dies under the load of eight writers, and comes back with its data. */
@ExtendWith({LogGuard.class, LeakGuard.class})
final class DatabaseCrashTest {

  private static final int CRASHES = Integer.getInteger("ddd.faults.crashes", 2);
  private static final int WRITERS = 8;
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void afterACrashOfPostgresTheOutboxEqualsTheLedger(TestReporter reporter) throws Exception {
    try (PostgresServer server = new PostgresServer("max_connections=50").start()) {
      survive(Database.on(server), server::crash, server::start, reporter);
    }
  }

  @Test
  void afterACrashOfMariaDbTheOutboxEqualsTheLedger(TestReporter reporter) throws Exception {
    try (MariaDbServer server = new MariaDbServer("max-connections=50").start()) {
      survive(Database.on(server), server::crash, server::start, reporter);
    }
  }

  private static void survive(
      Database database, Runnable crash, Runnable start, TestReporter reporter) throws Exception {
    Books books = new Books(database);
    Bank.founded(database).close();
    Random random = new Random(13);
    for (int i = 1; i <= CRASHES; i++) {
      try (KeptConnections connections =
              new KeptConnections(database.jdbcUrl(), database.user(), database.password());
          Bank bank =
              new Bank(
                  Map.of(
                      "hibernate.connection.datasource",
                      WatchedDataSource.of(connections, new WatchedDataSource.Watcher() {})))) {
        Writers writers = new Writers(bank, WRITERS, name -> {});
        int enough = 200 + random.nextInt(200);
        try {
          Await.until("there is load", SOON, () -> writers.acknowledgedSoFar() > enough);
          Pause.nanos(random.nextLong(5_000_000));
          crash.run();
        } finally {
          writers.stop();
        }
        start.run();
        Books.State state = books.assertBalanced();
        assertThat(writers.lost(state)).as("acknowledged and lost").isEmpty();
        reporter.publishEntry("crash " + i + " of " + database.kind(), writers.report(state));
      }
    }
    database.close();
  }
}
