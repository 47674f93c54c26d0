// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.testsupport.ChildJvm;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/** The application's JVM dies by kill -9: F02 and F03 of the fault matrix. */
@ExtendWith({LogGuard.class, LeakGuard.class})
abstract class KillFaults {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int KILLS = Integer.getInteger("ddd.faults.kills", 3);
  private static final Pattern IDS = Pattern.compile("(COMMITT(?:ING|ED)) (.{36} .{36})");

  private final Supplier<Database> source;
  private final boolean oneWriterOnly;
  private Database database;
  private Books books;

  KillFaults(Supplier<Database> source, boolean oneWriterOnly) {
    this.source = source;
    this.oneWriterOnly = oneWriterOnly;
  }

  @BeforeEach
  void open() {
    database = source.get();
    books = new Books(database);
    Bank.founded(database).close();
  }

  @AfterEach
  void close() {
    // Without the server nothing was opened, and the test is skipped.
    if (database != null) {
      database.close();
    }
  }

  @Test
  void aJvmKilledBetweenStoringAndCommittingLeavesNothing() {
    for (String names : oneWriterOnly ? List.of("a", "b", "c") : List.of("a,b,c")) {
      try (ChildJvm child =
          child(names).failPoints("stored@a", "committing@b", "committed@c").start()) {
        begin(child);
        Set<String> reached = new HashSet<>();
        while (reached.size() < names.split(",", -1).length) {
          reached.add(child.awaitLine("^FAILPOINT ", SOON));
        }
        child.kill();
      }
    }
    Books.State state = books.assertBalanced();
    assertThat(state.accounts()).containsExactly("c-0");
    assertThat(state.outbox()).hasSize(2);
  }

  @Test
  void aJvmKilledDuringCommitLeavesBothOrNeither(TestReporter reporter) {
    Random random = new Random(11);
    Set<UUID> unknown = new HashSet<>();
    Set<UUID> acknowledged = new HashSet<>();
    String names = oneWriterOnly ? "a" : "a,b,c,d,e,f,g,h";
    ChildJvm next = child(names).start();
    try {
      for (int kill = 1; kill <= KILLS; kill++) {
        try (ChildJvm child = next) {
          begin(child);
          for (int i = 20 + random.nextInt(100); i > 0; i--) {
            child.awaitLine("^COMMITTING ", SOON);
          }
          Pause.nanos(random.nextLong(5_000_000));
          child.kill();
          read(child.output(), unknown, acknowledged);
        }
        Books.State state = books.assertBalanced();
        assertThat(Books.minus(acknowledged, state.ledger())).as("acknowledged, lost").isEmpty();
        if (kill < KILLS) {
          next = child(names).start();
        }
      }
    } finally {
      next.close();
    }
    int vanished = Books.minus(unknown, books.read().ledger()).size() / 2;
    reporter.publishEntry(
        "JVM killed during commit",
        "%d times; %d transactions acknowledged, %d hit: %d committed, %d not"
            .formatted(
                KILLS,
                acknowledged.size() / 2,
                unknown.size() / 2,
                unknown.size() / 2 - vanished,
                vanished));
  }

  private ChildJvm.Builder child(String threads) {
    return ChildJvm.of(DoomedBank.class)
        // The password goes with a mark in front: it may be empty.
        .args(database.jdbcUrl(), database.user(), ":" + database.password(), threads)
        .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  }

  private static void begin(ChildJvm child) {
    child.awaitLine("^OPEN", SOON);
    child.send("begin");
  }

  private static void read(List<String> output, Set<UUID> unknown, Set<UUID> acknowledged) {
    for (String line : output) {
      var matcher = IDS.matcher(line);
      if (matcher.matches()) {
        List<UUID> ids =
            Arrays.stream(matcher.group(2).split(" ", -1)).map(UUID::fromString).toList();
        if (matcher.group(1).equals("COMMITTING")) {
          unknown.addAll(ids);
        } else {
          unknown.removeAll(ids);
          acknowledged.addAll(ids);
        }
      }
    }
  }
}
