// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Threads that move accounts without end, whatever fails, and remember what they were told. */
final class Writers {

  private final Bank bank;
  private final CountDownLatch ended;
  private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<UUID> unknown = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /** Starts them; each first tells its name. */
  Writers(Bank bank, int count, Consumer<String> names) {
    this.bank = bank;
    this.ended = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread thread = new Thread(() -> write(number), "writer-" + number);
      names.accept(thread.getName());
      thread.start();
    }
  }

  private void write(int number) {
    try {
      for (int i = 0; !stopped; i++) {
        String what = number + "/" + i;
        String account = "account-" + number + "-" + i % 5;
        Set<UUID> raised = new HashSet<>();
        try {
          bank.work().run(() -> raised.addAll(Bank.move(bank.work().session(), account, what)));
          acknowledged.addAll(raised);
        } catch (RuntimeException e) {
          // The business of the test: cut, refused, or no answer. Go on with a new connection.
          unknown.addAll(raised);
        }
      }
    } finally {
      ended.countDown();
    }
  }

  void stop() throws InterruptedException {
    stopped = true;
    if (!ended.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError(ended.getCount() + " writers do not end");
    }
  }

  int acknowledgedSoFar() {
    return acknowledged.size();
  }

  /** The events of transactions that ended with an exception. */
  Set<UUID> unknown() {
    return unknown;
  }

  Set<UUID> lost(Books.State state) {
    return Books.minus(acknowledged, state.ledger());
  }

  String report(Books.State state) {
    Set<UUID> vanished = Books.minus(unknown, state.ledger());
    return "%d events committed, %d transactions hit: %d committed, %d not"
        .formatted(
            acknowledged.size(), unknown.size(), unknown.size() - vanished.size(), vanished.size());
  }
}
