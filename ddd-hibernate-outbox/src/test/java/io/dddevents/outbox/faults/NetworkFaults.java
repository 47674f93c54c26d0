// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.TcpProxy;
import io.dddevents.testsupport.TcpProxy.Mode;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Faults of the network between the application and its database: F06 of the fault matrix, and F03
 * as the database sees it, for which a client that was killed is a connection that ended.
 */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NetworkFaults {

  private static final int CUTS = Integer.getInteger("ddd.faults.cuts", 60);
  private static final int WRITERS = 8;

  private final Supplier<Database> source;
  private Database database;
  private Books books;
  private TcpProxy network;
  private KeptConnections connections;
  private Bank bank;
  private final Set<String> committing = ConcurrentHashMap.newKeySet();
  private final Semaphore commits = new Semaphore(0);

  NetworkFaults(Supplier<Database> source) {
    this.source = source;
  }

  @BeforeAll
  void open() {
    database = source.get();
    books = new Books(database);
    Bank.founded(database).close();
    URI direct = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    network = TcpProxy.to(direct.getPort());
    String url =
        database.jdbcUrl().replace(":" + direct.getPort() + "/", ":" + network.port() + "/");
    connections = new KeptConnections(url, database.user(), database.password());
    Map<String, Object> settings = new HashMap<>();
    settings.put(
        "hibernate.connection.datasource",
        WatchedDataSource.of(
            connections,
            new WatchedDataSource.Watcher() {
              @Override
              public void before(String method, String sql) {
                if (method.equals("commit") && committing.contains(currentThread())) {
                  commits.release();
                }
              }
            }));
    bank = new Bank(settings);
  }

  private static String currentThread() {
    return Thread.currentThread().getName();
  }

  @BeforeEach
  void clear() {
    network.mode(Mode.PASS);
    connections.close();
    books.clear();
  }

  @AfterAll
  void close() {
    if (bank == null) {
      return; // without the server nothing was opened, and the class is skipped
    }
    bank.close();
    connections.close();
    network.close();
    database.close();
  }

  @Test
  void aConnectionThatIsCutBetweenFlushAndCommitLeavesNothingAndReturnsTheEvents() {
    Account account = new Account("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    assertThatThrownBy(
        () ->
            bank.inTransaction(
                session -> {
                  session.persist(account);
                  raised.set(Bank.move(session, account, "1"));
                  session.flush();
                  assertThat(account.pendingIds()).isEmpty();
                  network.cut();
                }));
    books.assertEmpty();
    assertRetryStoresOnce(account, raised.get());
  }

  /** Hibernate tells nobody that a transaction has ended if its rollback fails. */
  @Test
  void aConnectionThatIsCutBeforeTheRollbackReturnsTheEventsToo() {
    Account account = new Account("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                bank.inTransaction(
                    session -> {
                      session.persist(account);
                      raised.set(Bank.move(session, account, "1"));
                      session.flush();
                      network.cut();
                      throw new IllegalStateException("business");
                    }))
        .hasMessage("business");
    books.assertEmpty();
    assertRetryStoresOnce(account, raised.get());
  }

  @Test
  void aSessionThatIsClosedWithItsTransactionOpenReturnsTheEvents() {
    Account account = new Account("a");
    UUID raised;
    try (Session session = bank.factory().openSession()) {
      session.beginTransaction();
      session.persist(account);
      raised = Bank.move(session, account, "1");
      session.flush();
    }
    books.assertEmpty();
    assertRetryStoresOnce(account, raised);
  }

  private void assertRetryStoresOnce(Account account, UUID raised) {
    assertThat(account.pendingIds()).containsExactly(raised);
    bank.inTransaction(
        session -> {
          session.persist(account);
          Bank.note(session, raised, account.id(), "again");
        });
    books.assertExactly(raised);
  }

  /** The application cannot know; what it may not do is to store half, or the same event twice. */
  @Test
  void aCommitWhoseAnswerIsLostIsThereWithItsEventsAndABlindRetryAddsNothing() {
    Account account = new Account("a");
    UUID raised;
    try (Session session = bank.factory().openSession()) {
      Transaction transaction = session.beginTransaction();
      session.persist(account);
      raised = Bank.move(session, account, "1");
      session.flush();
      network.mode(Mode.HOLD_TO_CLIENT);
      Thread cutter =
          new Thread(
              () -> {
                awaitInDatabase(raised);
                network.cut();
              });
      cutter.start();
      assertThatThrownBy(transaction::commit);
      join(cutter);
    }
    network.mode(Mode.PASS);
    books.assertExactly(raised);
    assertThatThrownBy(() -> bank.inTransaction(session -> session.persist(account)));
    books.assertExactly(raised);
  }

  private void awaitInDatabase(UUID raised) {
    Await.until(
        "the commit has arrived",
        Duration.ofSeconds(20),
        () -> books.read().ledger().contains(raised));
  }

  private static void join(Thread thread) {
    try {
      thread.join(20_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void connectionsCutDuringCommitLeaveBothOrNeither(TestReporter reporter) throws Exception {
    Random random = new Random(7);
    Writers writers = new Writers(bank, WRITERS, committing::add);
    try {
      for (int i = 0; i < CUTS; i++) {
        commits.drainPermits();
        assertThat(commits.tryAcquire(1 + random.nextInt(5), 20, TimeUnit.SECONDS)).isTrue();
        Pause.nanos(random.nextLong(5_000_000));
        network.cut();
      }
    } finally {
      writers.stop();
    }
    Books.State state = books.assertBalanced();
    reporter.publishEntry(
        "connections cut during commit", CUTS + " times; " + writers.report(state));
    assertThat(writers.lost(state)).as("acknowledged and lost").isEmpty();
    assertThat(writers.unknown()).as("commits that were hit").isNotEmpty();
    assertThat(writers.acknowledgedSoFar()).as("commits that were not").isPositive();
  }
}
