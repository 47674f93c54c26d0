// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.Inbox;
import io.dddevents.UnitOfWork;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An inbox for consumers without a database: it remembers the last messages in memory, and nothing
 * after a restart. So a handler sees a message again whenever the process ended between handling
 * and ack, and must bear that. Use it together with its own {@link #unitOfWork()}.
 *
 * <p>Safe for many threads.
 */
public final class InMemoryInbox implements Inbox {

  private record Key(String consumer, String messageId) {}

  private static final class Scope {
    private final Map<Key, byte[]> received = new LinkedHashMap<>();
    private boolean failed;
  }

  private final int capacity;
  private final Map<Key, byte[]> done = new LinkedHashMap<>();
  private final Map<Key, Thread> running = new HashMap<>();
  private final Map<Thread, Scope> scopes = new ConcurrentHashMap<>();

  /** An inbox that remembers the last 100,000 messages. */
  public InMemoryInbox() {
    this(100_000);
  }

  /** An inbox that remembers so many messages; then it forgets the oldest. */
  public InMemoryInbox(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, was " + capacity);
    }
    this.capacity = capacity;
  }

  @Override
  public synchronized Receipt receive(String consumer, String messageId, byte[] sha256) {
    Scope scope = scopes.get(Thread.currentThread());
    if (scope == null) {
      throw new IllegalStateException(
          "no unit of work runs on this thread; run the handler in InMemoryInbox.unitOfWork()");
    }
    Map<Key, byte[]> mine = scope.received;
    Key key = new Key(consumer, messageId);
    awaitEndOfOthers(key);
    byte[] known = mine.containsKey(key) ? mine.get(key) : done.get(key);
    if (known == null) {
      running.put(key, Thread.currentThread());
      mine.put(key, sha256.clone());
      return Receipt.FIRST;
    }
    return MessageDigest.isEqual(known, sha256) ? Receipt.DUPLICATE : Receipt.CONFLICT;
  }

  /** A unit of work without a database: what it received is remembered if it does not throw. */
  public UnitOfWork unitOfWork() {
    return new MemoryUnitOfWork(false);
  }

  private void awaitEndOfOthers(Key key) {
    while (running.containsKey(key) && running.get(key) != Thread.currentThread()) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while another thread handles the message", e);
      }
    }
  }

  private synchronized void end(Map<Key, byte[]> received, boolean remember) {
    received.forEach(
        (key, hash) -> {
          running.remove(key);
          if (remember) {
            done.put(key, hash);
          }
        });
    List<Key> oldest = new ArrayList<>();
    int surplus = done.size() - capacity;
    if (surplus > 0) {
      done.keySet().stream().limit(surplus).forEach(oldest::add);
      oldest.forEach(done::remove);
    }
    notifyAll();
  }

  private final class MemoryUnitOfWork implements UnitOfWork {

    private final boolean alwaysNew;

    MemoryUnitOfWork(boolean alwaysNew) {
      this.alwaysNew = alwaysNew;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
      Scope outer = scopes.get(Thread.currentThread());
      return outer != null && !alwaysNew ? join(outer, work) : begin(outer, work);
    }

    private <T extends @Nullable Object, X extends Exception> T join(Scope outer, Work<T, X> work)
        throws X {
      boolean returned = false;
      try {
        T result = work.call();
        returned = true;
        return result;
      } finally {
        outer.failed |= !returned;
      }
    }

    private <T extends @Nullable Object, X extends Exception> T begin(
        @Nullable Scope outer, Work<T, X> work) throws X {
      Scope mine = new Scope();
      scopes.put(Thread.currentThread(), mine);
      boolean returned = false;
      try {
        T result = work.call();
        if (mine.failed) {
          throw new IllegalStateException(
              "something inside the unit of work failed and the exception was caught there");
        }
        returned = true;
        return result;
      } finally {
        if (outer == null) {
          scopes.remove(Thread.currentThread());
        } else {
          scopes.put(Thread.currentThread(), outer);
        }
        end(mine.received, returned);
      }
    }

    @Override
    public UnitOfWork requiresNew() {
      return new MemoryUnitOfWork(true);
    }
  }
}
