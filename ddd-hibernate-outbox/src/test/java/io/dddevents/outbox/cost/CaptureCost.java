// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.AggregateRoot;
import io.dddevents.outbox.faults.Account;
import io.dddevents.outbox.faults.Bank;
import io.dddevents.outbox.faults.WatchedDataSource;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What capture costs, in calls to the database; counted, so that the answer is exact. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CaptureCost {

  private static final String INSERT = "prepareStatement insert outbox_event";

  private final Supplier<Database> source;
  private final Calls calls = new Calls();
  private final List<Bank> banks = new ArrayList<>();
  private Database database;
  private Bank bank;
  private int accounts;

  CaptureCost(Supplier<Database> source) {
    this.source = source;
  }

  @BeforeAll
  void open() {
    database = source.get();
    bank = bank(Map.of("hibernate.hbm2ddl.auto", "update"));
  }

  private Bank bank(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("hibernate.connection.datasource", WatchedDataSource.of(database::connect, calls));
    Bank opened = new Bank(settings);
    banks.add(opened);
    return opened;
  }

  @AfterAll
  void close() {
    banks.forEach(Bank::close);
    database.close();
  }

  @Test
  void withoutEventsThereIsNotOneCallMore() {
    Bank without = bank(Map.of("dddevents.outbox.enabled", "false"));
    assertThat(callsOf(bank, account -> account.ownedBy("x")))
        .isEqualTo(callsOf(without, account -> account.ownedBy("x")))
        .isNotEmpty();
  }

  @Test
  void oneEventIsOneStatement() {
    assertThat(outboxCallsOf(bank, account -> account.remark("1")))
        .containsExactly(INSERT, "executeUpdate insert outbox_event");
  }

  @Test
  void tenEventsAreOneBatch() {
    assertThat(outboxCallsOf(bank, CaptureCost::tenTimes))
        .containsExactly(INSERT, "executeBatch insert outbox_event");
  }

  @Test
  void theApplicationsBatchSizeDoesNotMatter() {
    Bank small = bank(Map.of("hibernate.jdbc.batch_size", "3"));
    assertThat(outboxCallsOf(small, CaptureCost::tenTimes))
        .containsExactly(INSERT, "executeBatch insert outbox_event");
  }

  @Test
  void theRestOfTheTransactionIsUnchanged() {
    Bank without = bank(Map.of("dddevents.outbox.enabled", "false"));
    List<String> with = new ArrayList<>(callsOf(bank, CaptureCost::tenTimes));
    with.removeIf(call -> call.contains("outbox_"));
    assertThat(with).isEqualTo(callsOf(without, account -> {}));
  }

  @Test
  void keysAreTakenAndReadInOneCallEach() {
    for (int events : new int[] {1, 50}) {
      List<String> executions =
          Calls.executionsOf(
              outboxCallsOf(
                  bank,
                  account ->
                      IntStream.range(0, events)
                          .forEach(i -> account.remarkOnce("x", account.id() + "/" + i))));
      assertThat(executions)
          .containsExactly(
              "executeBatch insert outbox_dedupe",
              "executeQuery select outbox_dedupe",
              (events == 1 ? "executeUpdate" : "executeBatch") + " insert outbox_event");
    }
  }

  @Test
  void fourHundredFlushesAreFourHundredBatchesAndLeaveOneManagedEntity() {
    List<String> executions =
        Calls.executionsOf(
            Calls.ofOutbox(
                callsIn(
                    bank,
                    session -> {
                      Account account = new Account(nextId());
                      session.persist(account);
                      for (int flush = 0; flush < 400; flush++) {
                        IntStream.range(0, 25).forEach(i -> account.remark("x"));
                        session.flush();
                      }
                      assertThat(session.getStatistics().getEntityCount()).isEqualTo(1);
                    })));
    assertThat(executions).hasSize(400).containsOnly("executeBatch insert outbox_event");
  }

  @Test
  void lookingThroughFiveThousandAggregatesWithoutEventsTouchesNeitherThemNorTheDatabase()
      throws Exception {
    String prefix = nextId();
    callsIn(
        bank,
        session -> {
          for (int i = 0; i < 5_000; i++) {
            session.persist(new Account(prefix + "-" + i));
          }
        });
    Field pending = AggregateRoot.class.getDeclaredField("pendingEvents");
    pending.setAccessible(true);
    callsIn(
        bank,
        session -> {
          List<Account> loaded =
              session
                  .createSelectionQuery("from Account where id like :prefix", Account.class)
                  .setParameter("prefix", prefix + "-%")
                  .getResultList();
          calls.take();
          session.flush();
          assertThat(calls.take()).isEmpty();
          assertThat(loaded).hasSize(5_000).allMatch(account -> isNull(pending, account));
        });
  }

  private static boolean isNull(Field field, Account account) {
    try {
      return field.get(account) == null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void tenTimes(Account account) {
    IntStream.range(0, 10).forEach(i -> account.remark("x"));
  }

  private List<String> outboxCallsOf(Bank target, Consumer<Account> change) {
    return Calls.ofOutbox(callsOf(target, change));
  }

  /** What a transaction calls that loads an account and changes it. */
  private List<String> callsOf(Bank target, Consumer<Account> change) {
    String id = nextId();
    callsIn(target, session -> session.persist(new Account(id)));
    return callsIn(target, session -> change.accept(session.find(Account.class, id)));
  }

  private List<String> callsIn(Bank target, Consumer<Session> steps) {
    // The first transaction of a factory may look things up, once.
    calls.take();
    target.factory().inTransaction(steps);
    return calls.take();
  }

  private String nextId() {
    return "account-" + accounts++;
  }
}
