// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.DomainEvent;
import io.dddevents.EventOptions;
import io.dddevents.EventType;
import io.dddevents.outbox.Outbox;
import io.dddevents.outbox.domain.Happened;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.ExpectLog;
import jakarta.transaction.Synchronization;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Faults of the business transaction itself: F01, F04, F05, F08, F09, F12 of the fault matrix. */
abstract class CaptureFaults extends BankTest {

  CaptureFaults(Supplier<Database> source) {
    super(source);
  }

  // F01

  @Test
  void aRollbackAfterRaisingLeavesNothing() {
    Account account = new Account("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    Consumer<Session> steps =
        session -> {
          session.persist(account);
          raised.set(Bank.move(session, account, "1"));
          session.flush();
          throw new IllegalStateException("no longer wanted");
        };
    assertThatThrownBy(() -> bank().inTransaction(steps)).hasMessage("no longer wanted");
    books().assertEmpty();
    assertThat(account.pendingIds()).containsExactly(raised.get());
  }

  // F04

  @Test
  void anEventTooLongForItsColumnLetsTheBusinessFail() {
    String type =
        switch (database().kind()) {
          case H2 -> "alter column content_type varchar(%d) not null";
          case POSTGRES -> "alter column content_type type varchar(%d)";
          case MARIADB -> "modify column content_type varchar(%d) not null";
        };
    String alter = "alter table outbox_event " + type;
    database().execute(alter.formatted(5));
    try {
      assertRefusedByTheDatabase();
    } finally {
      database().execute(alter.formatted(100));
    }
    books().assertExactly(bank().move("a", "works again").get(0));
  }

  @Test
  void anOutboxThatIsGoneLetsTheBusinessFail() {
    database().execute("alter table outbox_event rename to outbox_event_away");
    try {
      assertRefusedByTheDatabase();
    } finally {
      database().execute("alter table outbox_event_away rename to outbox_event");
    }
    books().assertExactly(bank().move("a", "works again").get(0));
  }

  private void assertRefusedByTheDatabase() {
    Account account = new Account("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    Consumer<Session> steps =
        session -> {
          session.persist(account);
          raised.set(Bank.move(session, account, "1"));
        };
    assertThatThrownBy(() -> bank().inTransaction(steps))
        .hasStackTraceContaining("test.happened")
        .satisfies(e -> assertThat(e).hasStackTraceContaining(raised.get().toString()));
    assertThat(account.pendingIds()).containsExactly(raised.get());
    Account stored = bank().factory().fromSession(session -> session.find(Account.class, "a"));
    assertThat(stored).isNull();
  }

  // F05

  /** Contains itself. */
  static final class Knot {
    public Knot self = this;
  }

  @EventType("test.knotted")
  record Knotted(Knot knot) implements DomainEvent {}

  @Test
  void anEventThatCannotBeSerializedLetsTheBusinessFail() {
    Account account = new Account("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    Consumer<Session> steps =
        session -> {
          session.persist(account);
          Bank.move(session, account, "fine by itself");
          raised.set(account.move(new Knotted(new Knot())));
          Bank.note(session, raised.get(), "a", "knotted");
        };
    assertThatThrownBy(() -> bank().inTransaction(steps))
        .hasStackTraceContaining("test.knotted")
        .satisfies(e -> assertThat(e).hasStackTraceContaining(raised.get().toString()));
    books().assertEmpty();
    assertThat(account.pendingIds()).hasSize(2);
  }

  // F08

  @Test
  void withManualFlushNeitherStateNorEventIsWrittenAndAppendWorks() {
    bank().move("a");
    UUID appended = UUID.randomUUID();
    bank()
        .inTransaction(
            session -> {
              session.setHibernateFlushMode(FlushMode.MANUAL);
              session.find(Account.class, "a").move("never written");
              append(session, appended);
            });
    assertThat(books().read().outbox()).containsExactly(appended);
    assertThat(books().read().moves()).isEmpty();
    books().clear();
  }

  @Test
  void aBulkStatementRaisesNothingAndAppendWorks() {
    assertOnlyTheAppendedEvent(
        session -> session.createMutationQuery("update Account set owner = 'x'").executeUpdate());
  }

  @Test
  void nativeSqlRaisesNothingAndAppendWorks() {
    assertOnlyTheAppendedEvent(
        session ->
            session.createNativeMutationQuery("update t_account set owner = 'x'").executeUpdate());
  }

  private void assertOnlyTheAppendedEvent(Consumer<Session> update) {
    bank().move("a");
    UUID appended = UUID.randomUUID();
    bank()
        .inTransaction(
            session -> {
              update.accept(session);
              append(session, appended);
            });
    Account changed = bank().factory().fromSession(session -> session.find(Account.class, "a"));
    assertThat(changed.owner()).isEqualTo("x");
    assertThat(books().read().outbox()).containsExactly(appended);
    books().clear();
  }

  private static void append(Session session, UUID eventId) {
    EventOptions options = EventOptions.defaults().id(eventId);
    assertThat(Outbox.append(session, new Happened("appended"), options)).isTrue();
  }

  // F09

  @Test
  void anEventAndAChangeMadeInASynchronizationAreStored() {
    AtomicReference<UUID> raised = new AtomicReference<>();
    bank()
        .inTransaction(
            session -> {
              Account account = new Account("a");
              session.persist(account);
              beforeCompletion(
                  session, () -> raised.set(Bank.move(session, account, "last minute")));
            });
    books().assertExactly(raised.get());
  }

  @Test
  void soAreThoseOnAnAggregateThatIsLoadedOnlyThere() {
    bank().move("a");
    AtomicReference<UUID> raised = new AtomicReference<>();
    bank()
        .inTransaction(
            session ->
                beforeCompletion(
                    session, () -> raised.set(Bank.move(session, "a", "last minute").get(0))));
    books().assertExactly(raised.get());
  }

  @Test
  @ExpectLog(value = Level.ERROR, message = "committed without it: event=.+ class=.+Happened")
  void anEventRaisedAfterTheCommitIsNotStoredAndIsReported() {
    bank()
        .inTransaction(
            session -> {
              Account account = new Account("a");
              session.persist(account);
              afterCompletion(session, () -> account.move("too late"));
            });
    assertThat(books().assertBalanced().outbox()).isEmpty();
  }

  @Test
  void anEventThatASynchronizationRaisesAndFlushesIsStored() {
    AtomicReference<UUID> raised = new AtomicReference<>();
    bank()
        .inTransaction(
            session -> {
              Account account = new Account("a");
              session.persist(account);
              beforeCompletion(
                  session,
                  () -> {
                    raised.set(Bank.move(session, account, "in time"));
                    session.flush();
                  });
            });
    books().assertExactly(raised.get());
  }

  /** Hibernate asks only once, before the Synchronizations, whether it may commit. */
  @Test
  void aFailureThatASynchronizationSwallowsStillPreventsTheCommit() {
    bank().move("a");
    String tooLarge = "x".repeat(300 * 1024);
    assertThatThrownBy(
        () ->
            bank()
                .inTransaction(
                    session -> {
                      Account account = session.find(Account.class, "a");
                      beforeCompletion(
                          session,
                          () -> {
                            account.move(tooLarge);
                            assertThatThrownBy(session::flush).hasStackTraceContaining("262144");
                          });
                    }));
    assertThat(books().assertBalanced().moves()).isEmpty();
  }

  @Test
  void aFailureHoldsItsOwnTransactionOnly() {
    UUID raised;
    try (Session session = bank().factory().openSession()) {
      session.beginTransaction();
      Account account = new Account("a");
      account.move("x".repeat(300 * 1024));
      session.persist(account);
      assertThatThrownBy(() -> session.getTransaction().commit());
      session.clear();
      session.beginTransaction();
      raised = Bank.move(session, "b", "the next transaction").get(0);
      session.getTransaction().commit();
    }
    books().assertExactly(raised);
  }

  private static void beforeCompletion(Session session, Runnable action) {
    register(session, action, () -> {});
  }

  private static void afterCompletion(Session session, Runnable action) {
    register(session, () -> {}, action);
  }

  private static void register(Session session, Runnable before, Runnable after) {
    session
        .getTransaction()
        .registerSynchronization(
            new Synchronization() {
              @Override
              public void beforeCompletion() {
                before.run();
              }

              @Override
              public void afterCompletion(int status) {
                after.run();
              }
            });
  }

  // F12

  @Test
  void ofTwoNestedTransactionsEachKeepsItsOwnEvents() {
    AtomicReference<UUID> inner = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                bank()
                    .work()
                    .run(
                        () -> {
                          Bank.move(bank().work().session(), "outer", "lost");
                          bank().work().session().flush();
                          inner.set(
                              bank()
                                  .work()
                                  .requiresNew()
                                  .call(() -> Bank.move(bank().work().session(), "inner", "kept"))
                                  .get(0));
                          throw new IllegalStateException("outer fails");
                        }))
        .hasMessage("outer fails");
    books().assertExactly(inner.get());
  }

  @Test
  void ofTwoFactoriesEachKeepsItsOwnEvents() {
    try (Bank other = Bank.founded(database(), Map.of("dddevents.outbox.table_prefix", "other_"))) {
      AtomicReference<UUID> kept = new AtomicReference<>();
      bank()
          .inTransaction(
              session -> {
                kept.set(Bank.move(session, "a", "kept").get(0));
                session.flush();
                assertThatThrownBy(
                        () ->
                            other.inTransaction(
                                second -> {
                                  Bank.move(second, "b", "lost");
                                  second.flush();
                                  throw new IllegalStateException("the second fails");
                                }))
                    .hasMessage("the second fails");
              });
      books().assertExactly(kept.get());
      Long others =
          other
              .factory()
              .fromSession(
                  session ->
                      session
                          .createNativeQuery("select count(*) from other_outbox_event", Long.class)
                          .getSingleResult());
      assertThat(others).isZero();
    }
  }

  @Test
  void aChildSessionThatIsClosedBeforeTheCommitKeepsItsEventsInTheTransaction() {
    Account account = new Account("child");
    AtomicReference<UUID> raised = new AtomicReference<>();
    bank()
        .inTransaction(
            session -> {
              try (Session child = session.sessionWithOptions().connection().openSession()) {
                child.persist(account);
                raised.set(Bank.move(child, account, "1"));
                child.flush();
              }
              assertThat(account.pendingIds()).isEmpty();
            });
    books().assertExactly(raised.get());
    assertThat(account.pendingIds()).isEmpty();
  }

  @Test
  void aSavepointTakesStateLedgerAndEventBackTogether() {
    AtomicReference<UUID> kept = new AtomicReference<>();
    bank()
        .inTransaction(
            session -> {
              kept.set(Bank.move(session, "a", "kept").get(0));
              session.flush();
              Savepoint savepoint = session.doReturningWork(Connection::setSavepoint);
              Bank.move(session, "b", "taken back");
              session.flush();
              session.doWork(connection -> connection.rollback(savepoint));
              session.clear();
            });
    books().assertExactly(kept.get());
    assertThat(books().read().accounts()).containsExactly("a");
  }
}
