// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.UnitOfWork;
import io.dddevents.outbox.HibernateUnitOfWork;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.RollbackException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the unit of work promises. The connections come from a plain data source, in auto-commit
 * mode as those of most pools; after every test all of them and all sessions are closed.
 */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UnitOfWorkContract {

  private final Supplier<Database> source;
  private Database database;
  private Bank bank;
  private Books books;
  private HibernateUnitOfWork work;
  private volatile boolean commitFails;

  UnitOfWorkContract(Supplier<Database> source) {
    this.source = source;
  }

  @BeforeAll
  void open() {
    database = source.get();
    books = new Books(database);
    Bank.founded(database).close();
    bank =
        new Bank(
            Map.of(
                "hibernate.generate_statistics",
                "true",
                "hibernate.connection.datasource",
                WatchedDataSource.of(
                    database::connect,
                    new WatchedDataSource.Watcher() {
                      @Override
                      public void before(String method, String sql) throws SQLException {
                        if (commitFails && method.equals("commit")) {
                          throw new SQLException("no commit today");
                        }
                      }
                    })));
    work = bank.work();
  }

  @BeforeEach
  void clear() {
    commitFails = false;
    books.clear();
  }

  @AfterEach
  void theBooksBalanceAndNothingIsLeftOpen() {
    books.assertBalanced();
    Statistics statistics = bank.factory().getStatistics();
    assertThat(statistics.getSessionCloseCount()).isEqualTo(statistics.getSessionOpenCount());
    assertThat(database.openConnections()).isZero();
    assertThatThrownBy(work::session).isInstanceOf(IllegalStateException.class);
  }

  @AfterAll
  void close() {
    if (bank == null) {
      return; // without the server nothing was opened, and the class is skipped
    }
    bank.close();
    database.close();
  }

  @Test
  void workThatReturnsIsCommittedAndGivesItsResult() {
    UUID raised = work.call(() -> Bank.move(work.session(), "a", "1").get(0));
    books.assertExactly(raised);
  }

  @Test
  void anActionIsCommittedAndAResultMayBeNull() {
    AtomicReference<UUID> raised = new AtomicReference<>();
    work.run(() -> raised.set(Bank.move(work.session(), "a", "1").get(0)));
    String nothing = work.call(() -> null);
    assertThat(nothing).isNull();
    books.assertExactly(raised.get());
  }

  @Test
  void aCheckedExceptionReachesTheCallerUnchangedAndRollsBack() {
    IOException thrown = new IOException("disk");
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      Bank.move(work.session(), "a", "1");
                      throw thrown;
                    }))
        .isSameAs(thrown);
    books.assertEmpty();
  }

  @Test
  void anErrorReachesTheCallerUnchangedAndRollsBack() {
    StackOverflowError thrown = new StackOverflowError();
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      Bank.move(work.session(), "a", "1");
                      work.session().flush();
                      throw thrown;
                    }))
        .isSameAs(thrown);
    books.assertEmpty();
  }

  @Test
  void anInnerCallJoinsTheOuterOne() {
    List<UUID> raised = new ArrayList<>();
    work.run(
        () -> {
          Session outer = work.session();
          raised.addAll(Bank.move(outer, "a", "outer"));
          work.run(
              () -> {
                assertThat(work.session()).isSameAs(outer);
                raised.addAll(Bank.move(work.session(), "b", "inner"));
              });
          assertThat(books.read().outbox()).isEmpty();
        });
    books.assertExactly(raised.toArray(UUID[]::new));
  }

  @Test
  void anInnerFailureThatIsSwallowedLetsTheOuterOneFail() {
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      Bank.move(work.session(), "a", "outer");
                      try {
                        work.run(
                            () -> {
                              Bank.move(work.session(), "b", "inner");
                              throw new IOException("inner");
                            });
                      } catch (IOException e) {
                        assertThat(e).hasMessage("inner");
                      }
                    }))
        .isInstanceOf(RollbackException.class)
        .hasMessageContaining("requiresNew");
    books.assertEmpty();
  }

  @Test
  void anInnerTransactionOfItsOwnCommitsThoughTheOuterOneFails() {
    List<UUID> kept = new ArrayList<>();
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      Bank.move(work.session(), "a", "outer");
                      work.session().flush();
                      kept.addAll(
                          work.requiresNew().call(() -> Bank.move(work.session(), "b", "inner")));
                      throw new IOException("outer");
                    }))
        .hasMessage("outer");
    books.assertExactly(kept.toArray(UUID[]::new));
  }

  @Test
  void theOuterTransactionCommitsThoughAnInnerOneOfItsOwnFails() {
    UnitOfWork inner = work.requiresNew();
    List<UUID> kept =
        work.call(
            () -> {
              Session outer = work.session();
              List<UUID> raised = Bank.move(outer, "a", "outer");
              assertThatThrownBy(
                      () ->
                          inner.run(
                              () -> {
                                assertThat(work.session()).isNotSameAs(outer);
                                Bank.move(work.session(), "b", "inner");
                                throw new IOException("inner");
                              }))
                  .hasMessage("inner");
              assertThat(work.session()).as("the outer session is back").isSameAs(outer);
              return raised;
            });
    books.assertExactly(kept.toArray(UUID[]::new));
  }

  @Test
  void aConflictIsRetriedWithAFreshSession() {
    bank.move("a", "before");
    AtomicInteger tries = new AtomicInteger();
    List<Session> seen = new ArrayList<>();
    HibernateUnitOfWork retrying = work.retryOnConflict(1);
    retrying.run(
        () -> {
          Session session = retrying.session();
          seen.add(session);
          Account account = session.find(Account.class, "a");
          if (tries.incrementAndGet() == 1) {
            work.requiresNew().run(() -> Bank.move(work.session(), "a", "the other one"));
          }
          Bank.move(session, account, "try " + tries.get());
        });
    assertThat(seen).hasSize(2).doesNotHaveDuplicates();
    assertThat(books.assertBalanced().whats())
        .containsExactlyInAnyOrder("before", "the other one", "try 2");
  }

  @Test
  void afterTheLastRetryTheConflictReachesTheCaller() {
    bank.move("a", "before");
    AtomicInteger tries = new AtomicInteger();
    HibernateUnitOfWork retrying = work.retryOnConflict(2);
    assertThatThrownBy(
            () ->
                retrying.run(
                    () -> {
                      tries.incrementAndGet();
                      Account account = retrying.session().find(Account.class, "a");
                      work.requiresNew().run(() -> Bank.move(work.session(), "a", "faster"));
                      Bank.move(retrying.session(), account, "slow");
                    }))
        .hasStackTraceContaining(OptimisticLockException.class.getSimpleName());
    assertThat(tries).hasValue(3);
    assertThat(books.assertBalanced().whats()).doesNotContain("slow");
  }

  @Test
  void otherFailuresAreNotRetried() {
    AtomicInteger tries = new AtomicInteger();
    HibernateUnitOfWork retrying = work.retryOnConflict(5);
    assertThatThrownBy(
            () ->
                retrying.run(
                    () -> {
                      tries.incrementAndGet();
                      throw new IllegalStateException("not a conflict");
                    }))
        .hasMessage("not a conflict");
    assertThat(tries).hasValue(1);
  }

  @Test
  void aJoinedCallIsNotRetriedByItself() {
    AtomicInteger tries = new AtomicInteger();
    HibernateUnitOfWork retrying = work.retryOnConflict(5);
    assertThatThrownBy(
            () ->
                work.run(
                    () ->
                        retrying.run(
                            () -> {
                              tries.incrementAndGet();
                              throw new OptimisticLockException("inside");
                            })))
        .hasMessage("inside");
    assertThat(tries).hasValue(1);
  }

  @Test
  void outsideOfAUnitOfWorkThereIsNoSessionAndTheMessageSaysSo() {
    assertThatThrownBy(work::session)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(Thread.currentThread().getName())
        .hasMessageContaining("UnitOfWork.run");
  }

  @Test
  void anotherThreadHasNoSession() throws Exception {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    work.run(
        () -> {
          Thread other =
              new Thread(
                  () -> {
                    try {
                      work.session();
                    } catch (IllegalStateException e) {
                      seen.set(e);
                    }
                  });
          other.start();
          other.join(20_000);
        });
    assertThat(seen.get()).isNotNull();
  }

  @Test
  void aCommitThatFailsReachesTheCallerAndTheEventsAreBack() {
    Account account = new Account("a");
    commitFails = true;
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      work.session().persist(account);
                      Bank.move(work.session(), account, "1");
                    }))
        .hasStackTraceContaining("no commit today");
    assertThat(account.pendingIds()).hasSize(1);
    books.assertEmpty();
  }

  @Test
  void aFailureInTheCommitsOwnFlushReachesTheCaller() {
    assertThatThrownBy(
            () ->
                work.run(
                    () -> {
                      Bank.move(work.session(), "a", "1");
                      work.session().find(Account.class, "a").ownedBy("x".repeat(1000));
                    }))
        .isInstanceOf(RuntimeException.class);
    books.assertEmpty();
  }

  @Test
  void theNumberOfRetriesIsChecked() {
    assertThatThrownBy(() -> work.retryOnConflict(-1)).hasMessageContaining("was -1");
    assertThatThrownBy(() -> work.retryOnConflict(101)).hasMessageContaining("was 101");
  }
}
