// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.Inbox.Receipt;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an inbox promises, on one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({LogGuard.class, LeakGuard.class})
abstract class InboxContract {

  private static final byte[] HASH = new byte[32];
  private static final byte[] OTHER_HASH = new byte[32];

  static {
    OTHER_HASH[31] = 1;
  }

  private Database database;
  private SessionFactory sessions;
  private HibernateUnitOfWork unitOfWork;
  private HibernateInbox inbox;

  abstract Database database();

  @BeforeAll
  void open() throws Exception {
    database = database();
    try (Connection connection = database.connect()) {
      OutboxSchema.forDatabase(connection).apply(connection);
    }
    Configuration configuration = new Configuration();
    for (Map.Entry<String, Object> setting : Connections.to(database).entrySet()) {
      configuration.getProperties().put(setting.getKey(), setting.getValue());
    }
    sessions = configuration.buildSessionFactory();
    unitOfWork = HibernateUnitOfWork.of(sessions);
    inbox = HibernateInbox.of(sessions, unitOfWork);
  }

  @AfterAll
  void close() {
    // Without the server nothing was opened, and the class is skipped.
    if (sessions != null) {
      sessions.close();
      database.close();
    }
  }

  @Test
  void aMessageIsFirstOnceAndThenADuplicate() {
    String id = newId();
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.FIRST);
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.DUPLICATE);
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.DUPLICATE);
  }

  @Test
  void theSameIdWithAnotherHashIsAConflict() {
    String id = newId();
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.FIRST);
    assertThat(received("billing", id, OTHER_HASH)).isEqualTo(Receipt.CONFLICT);
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.DUPLICATE);
  }

  @Test
  void everyConsumerHasItsOwnMemory() {
    String id = newId();
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.FIRST);
    assertThat(received("shipping", id, HASH)).isEqualTo(Receipt.FIRST);
    assertThat(received("Billing", id, HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void idsThatLookAlikeAreDifferent() {
    String id = newId().substring(0, 8);
    for (String alike : new String[] {id + "abc", id + "ABC", id + "abc ", id + "âbc"}) {
      assertThat(received("billing", alike, HASH)).as(alike).isEqualTo(Receipt.FIRST);
    }
  }

  @Test
  void aRollbackForgetsTheMessage() {
    String id = newId();
    assertThatThrownBy(
            () ->
                unitOfWork.run(
                    () -> {
                      inbox.receive("billing", id, HASH);
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");
    assertThat(received("billing", id, HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void aDuplicateOrAConflictLeavesTheTransactionUsable() {
    String known = newId();
    String fresh = newId();
    received("billing", known, HASH);
    unitOfWork.run(
        () -> {
          assertThat(inbox.receive("billing", known, HASH)).isEqualTo(Receipt.DUPLICATE);
          assertThat(inbox.receive("billing", known, OTHER_HASH)).isEqualTo(Receipt.CONFLICT);
          assertThat(inbox.receive("billing", fresh, HASH)).isEqualTo(Receipt.FIRST);
        });
    assertThat(received("billing", fresh, HASH)).isEqualTo(Receipt.DUPLICATE);
  }

  @Test
  void theSecondTransactionWaitsForTheFirstAndGetsADuplicate() throws Exception {
    assertThat(secondWhileFirst(true)).isEqualTo(Receipt.DUPLICATE);
  }

  @Test
  void theSecondTransactionWaitsForTheFirstAndIsFirstIfThatRollsBack() throws Exception {
    assertThat(secondWhileFirst(false)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void purgeForgetsWhatIsOldInBatchesAndKeepsTheRest() {
    int many = 1201;
    String prefix = newId().substring(0, 8);
    unitOfWork.run(
        () -> {
          for (int i = 0; i < many; i++) {
            inbox.receive("purged", prefix + "-" + i, HASH);
          }
        });
    assertThat(inbox.purge(Instant.now().minus(Duration.ofDays(1)))).isZero();
    assertThat(received("purged", prefix + "-0", HASH)).isEqualTo(Receipt.DUPLICATE);
    assertThat(inbox.purge(Instant.now().plus(Duration.ofDays(1)))).isGreaterThanOrEqualTo(many);
    assertThat(received("purged", prefix + "-0", HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void keysThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> received("billing", "x".repeat(65), HASH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65 bytes");
    assertThatThrownBy(() -> received("billing", newId(), new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> received("", newId(), HASH))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void outsideOfAUnitOfWorkItIsRefused() {
    assertThatThrownBy(() -> inbox.receive("billing", newId(), HASH))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no unit of work");
  }

  private Receipt secondWhileFirst(boolean firstCommits) throws Exception {
    String id = newId();
    CountDownLatch inserted = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(
            () -> {
              try {
                unitOfWork.run(
                    () -> {
                      inbox.receive("billing", id, HASH);
                      inserted.countDown();
                      mayEnd.await();
                      if (!firstCommits) {
                        throw new IllegalStateException("handler");
                      }
                    });
              } catch (IllegalStateException | InterruptedException expected) {
                // Rolled back.
              }
            },
            thread("first"));
    assertThat(inserted.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Thread> waiter = new CompletableFuture<>();
    CompletableFuture<Receipt> second =
        CompletableFuture.supplyAsync(
            () -> {
              waiter.complete(Thread.currentThread());
              return received("billing", id, HASH);
            },
            thread("second"));
    Thread waiting = waiter.get(10, TimeUnit.SECONDS);
    Await.until("the second stands in its insert", Duration.ofSeconds(10), () -> inInsert(waiting));
    assertThat(second).isNotDone();
    mayEnd.countDown();
    first.get(10, TimeUnit.SECONDS);
    return second.get(10, TimeUnit.SECONDS);
  }

  private static boolean inInsert(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().startsWith("executeUpdate")) {
        return true;
      }
    }
    return false;
  }

  private static Executor thread(String name) {
    return work -> new Thread(work, name).start();
  }

  private Receipt received(String consumer, String id, byte[] hash) {
    return unitOfWork.call(() -> inbox.receive(consumer, id, hash));
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
