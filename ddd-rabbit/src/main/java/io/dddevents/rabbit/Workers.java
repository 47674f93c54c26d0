// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The threads that handle deliveries. All deliveries of one aggregate go to one thread, also over
 * reconnects, so a delivery waits for whatever came before it. The queues are bounded by the
 * prefetch.
 */
final class Workers {

  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

  private final DeliveryWork work;
  private final List<BlockingQueue<Optional<InboundDelivery>>> queues = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  Workers(String name, int count, DeliveryWork work) {
    this.work = work;
    for (int i = 0; i < count; i++) {
      BlockingQueue<Optional<InboundDelivery>> queue = new LinkedBlockingQueue<>();
      Thread thread = new Thread(() -> run(queue), "ddd-consumer-" + name + "-" + i);
      thread.setDaemon(true);
      queues.add(queue);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  void dispatch(InboundDelivery delivery) {
    queues.get(Math.floorMod(delivery.lane(), queues.size())).add(Optional.of(delivery));
  }

  /**
   * Ends the threads: whatever they are at may finish within the limit, then it is interrupted.
   *
   * @return how many threads ignore even that
   */
  int stop(Duration limit) throws InterruptedException {
    queues.forEach(queue -> queue.add(Optional.empty()));
    join(limit);
    threads.stream().filter(Thread::isAlive).forEach(Thread::interrupt);
    join(AFTER_INTERRUPT);
    return (int) threads.stream().filter(Thread::isAlive).count();
  }

  private void join(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      thread.join(millis);
    }
  }

  private void run(BlockingQueue<Optional<InboundDelivery>> queue) {
    try {
      while (true) {
        Optional<InboundDelivery> next = queue.take();
        if (next.isEmpty()) {
          return;
        }
        if (next.get().intake().isOpen()) {
          work.process(next.get());
        }
      }
    } catch (InterruptedException e) {
      // Only stop() interrupts a worker outside of a handler. What it holds is delivered again.
      Thread.currentThread().interrupt();
    }
  }
}
