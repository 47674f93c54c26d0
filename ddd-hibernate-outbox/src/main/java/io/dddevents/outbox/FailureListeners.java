// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners on a thread of their own, so that none can hold up the relay. */
final class FailureListeners implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FailureListeners.class);

  private static final int MOST_WAITING = 1_000;

  private final List<FailureListener> listeners;
  private final ThreadPoolExecutor executor;
  private final Set<FailureListener> complained = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean overflowed = new AtomicBoolean();

  FailureListeners(String relay, List<FailureListener> listeners) {
    this.listeners = List.copyOf(listeners);
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "outbox-" + relay + "-failures");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  void tell(FailedEvent event) {
    if (listeners.isEmpty()) {
      return;
    }
    try {
      executor.execute(() -> listeners.forEach(listener -> tell(listener, event)));
    } catch (RejectedExecutionException e) {
      if (overflowed.compareAndSet(false, true)) {
        log.warn(
            "Failure listeners are too slow and miss events: event={} type={}",
            event.eventId(),
            event.type());
      }
    }
  }

  private void tell(FailureListener listener, FailedEvent event) {
    try {
      listener.onFailed(event);
    } catch (RuntimeException | Error e) {
      if (complained.add(listener)) {
        // Only our own messages are known to hold no secret.
        log.warn(
            "A failure listener failed, which is said once: listener={} event={} cause={}",
            listener.getClass().getSimpleName(),
            event.eventId(),
            e instanceof OutboxException ? e.getMessage() : e.getClass().getName());
      }
    }
  }

  /** Lets what is waiting go out, for a short time. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(2, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
