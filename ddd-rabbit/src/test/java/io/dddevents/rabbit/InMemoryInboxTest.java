// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.Inbox.Receipt;
import io.dddevents.UnitOfWork;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class InMemoryInboxTest {

  private static final byte[] HASH = {1};
  private final InMemoryInbox inbox = new InMemoryInbox(2);
  private final UnitOfWork unitOfWork = inbox.unitOfWork();

  @Test
  void itTellsFirstFromDuplicateFromConflictPerConsumer() {
    assertThat(received("a", "1", HASH)).isEqualTo(Receipt.FIRST);
    assertThat(received("a", "1", HASH)).isEqualTo(Receipt.DUPLICATE);
    assertThat(received("a", "1", new byte[] {2})).isEqualTo(Receipt.CONFLICT);
    assertThat(received("b", "1", HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void itForgetsTheOldest() {
    for (String id : new String[] {"1", "2", "3"}) {
      received("a", id, HASH);
    }
    assertThat(received("a", "3", HASH)).isEqualTo(Receipt.DUPLICATE);
    assertThat(received("a", "1", HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void itForgetsWhatFailed() {
    assertThatThrownBy(
            () ->
                unitOfWork.run(
                    () -> {
                      inbox.receive("a", "1", HASH);
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");
    assertThat(received("a", "1", HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void aFailureThatWasCaughtInsideStillFailsTheWhole() {
    assertThatThrownBy(
            () ->
                unitOfWork.run(
                    () -> {
                      inbox.receive("a", "1", HASH);
                      assertThatThrownBy(
                          () ->
                              unitOfWork.run(
                                  () -> {
                                    throw new IllegalArgumentException("inner");
                                  }));
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(received("a", "1", HASH)).isEqualTo(Receipt.FIRST);
  }

  @Test
  void theSecondWaitsForTheFirst() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Receipt> first =
        CompletableFuture.supplyAsync(
            () ->
                unitOfWork.call(
                    () -> {
                      Receipt receipt = inbox.receive("a", "1", HASH);
                      inside.countDown();
                      await(mayEnd);
                      return receipt;
                    }));
    inside.await();
    CompletableFuture<Receipt> second =
        CompletableFuture.supplyAsync(() -> received("a", "1", HASH));
    assertThat(second).isNotDone();
    mayEnd.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(Receipt.FIRST);
    assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Receipt.DUPLICATE);
  }

  @Test
  void itNeedsItsUnitOfWork() {
    assertThatThrownBy(() -> inbox.receive("a", "1", HASH))
        .isInstanceOf(IllegalStateException.class);
  }

  private Receipt received(String consumer, String id, byte[] hash) {
    return unitOfWork.call(() -> inbox.receive(consumer, id, hash));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
