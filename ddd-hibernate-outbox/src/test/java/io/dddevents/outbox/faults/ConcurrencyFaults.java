// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.HibernateUnitOfWork;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Faults between transactions: F07, F10, F11 of the fault matrix. */
abstract class ConcurrencyFaults extends BankTest {

  private static final int ROUNDS = 100;
  private static final int THREADS = 16;
  private static final int PER_THREAD = Integer.getInteger("ddd.faults.transactions", 150);
  private static final Duration SOON = Duration.ofSeconds(20);

  /**
   * MariaDB answers from a cache that lives on as long as it is asked more than ten times a second.
   */
  private static final Duration ASK_EVERY = Duration.ofMillis(250);

  private long lastAsked = System.nanoTime() - ASK_EVERY.toNanos();

  ConcurrencyFaults(Supplier<Database> source) {
    super(source);
  }

  // F07

  @Test
  void aRetryAfterAConflictStoresTheEventsOfTheSecondTryOnlyAndOnce() throws Exception {
    bank().move("a");
    HibernateUnitOfWork work = bank().work().retryOnConflict(100);
    AtomicInteger tries = new AtomicInteger();
    CyclicBarrier round = new CyclicBarrier(2);
    List<UUID> committed =
        inThreads(
            2,
            thread -> {
              List<UUID> mine = new ArrayList<>();
              for (int i = 0; i < ROUNDS; i++) {
                String what = thread + "-" + i;
                round.await(SOON.toSeconds(), TimeUnit.SECONDS);
                mine.addAll(
                    work.call(
                        () -> {
                          tries.incrementAndGet();
                          return Bank.move(work.session(), "a", what);
                        }));
              }
              return mine;
            });
    assertThat(tries.get()).as("tries; otherwise there was no conflict").isGreaterThan(2 * ROUNDS);
    Books.State state = books().assertBalanced();
    assertThat(state.outbox()).isEqualTo(new HashSet<>(committed));
    assertThat(state.whats()).hasSize(2 * ROUNDS).doesNotHaveDuplicates();
    assertVersionsFollowIds(state, "a");
  }

  // F10

  @Test
  void sixteenThreadsOnOneFactoryDoNotMixTheirEvents() throws Exception {
    List<UUID> committed =
        inThreads(
            THREADS,
            thread -> {
              List<UUID> mine = new ArrayList<>();
              for (int i = 0; i < PER_THREAD; i++) {
                String account = "account-" + thread + "-" + i % 10;
                String what = thread + "/" + i;
                if (i % 4 == 3) {
                  rollBack(account, what);
                } else {
                  mine.addAll(bank().move(account, what + "/1", what + "/2"));
                }
              }
              return mine;
            });
    Books.State state = books().assertBalanced();
    assertThat(state.outbox()).isEqualTo(new HashSet<>(committed));
    state.accounts().forEach(account -> assertVersionsFollowIds(state, account));
  }

  private void rollBack(String account, String what) {
    try (Session session = bank().factory().openSession()) {
      session.beginTransaction();
      Bank.move(session, account, what + "/lost");
      session.flush();
      session.getTransaction().rollback();
    }
  }

  // F11

  @Test
  void aFastTransactionOnTheSameAggregateWaitsForTheSlowOne() throws Exception {
    bank().move("a", "before");
    HibernateUnitOfWork work = bank().work().retryOnConflict(3);
    CompletableFuture<List<UUID>> fast;
    UUID slow;
    try (Session session = bank().factory().openSession()) {
      session.beginTransaction();
      slow = Bank.move(session, "a", "slow").get(0);
      session.flush();
      fast =
          CompletableFuture.supplyAsync(
              () -> work.call(() -> Bank.move(work.session(), "a", "fast")));
      Await.until("the fast one waits for the row", SOON, () -> fast.isDone() || someoneWaits());
      assertThat(fast).isNotDone();
      session.getTransaction().commit();
    }
    UUID second = fast.get(SOON.toSeconds(), TimeUnit.SECONDS).get(0);
    Books.State state = books().assertBalanced();
    assertThat(state.rowsOf("a")).extracting(Books.Row::eventId).endsWith(slow, second);
    assertVersionsFollowIds(state, "a");
  }

  private boolean someoneWaits() throws SQLException {
    if (System.nanoTime() - lastAsked < ASK_EVERY.toNanos()) {
      return false;
    }
    lastAsked = System.nanoTime();
    String sql =
        switch (database().kind()) {
          case H2 ->
              "select count(*) from information_schema.sessions where blocker_id is not null";
          case POSTGRES ->
              "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                  + " and datname = current_database()";
          case MARIADB ->
              "select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
        };
    try (Connection connection = database().connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getInt(1) > 0;
    }
  }

  private static void assertVersionsFollowIds(Books.State state, String account) {
    assertThat(state.rowsOf(account)).extracting(Books.Row::version).isSorted();
  }

  private interface Task {
    List<UUID> run(int thread) throws Exception;
  }

  private static List<UUID> inThreads(int count, Task task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<List<UUID>>> tasks =
          IntStream.range(0, count)
              .<Callable<List<UUID>>>mapToObj(thread -> () -> task.run(thread))
              .toList();
      Set<UUID> all = new HashSet<>();
      for (Future<List<UUID>> each : threads.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
        all.addAll(each.get());
      }
      return List.copyOf(all);
    } finally {
      threads.shutdownNow();
    }
  }
}
