// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * One object per channel, and it dies with it. Sequence numbers start at 1 on every channel, so a
 * map that outlives its channel takes the confirm of a new message for that of an old one; this is
 * how the client's automatic recovery turns lost messages into confirmed ones.
 *
 * The broker's answers come on one thread, in the order of the stream:
 *   RabbitMQ, routed       ack
 *   RabbitMQ, unroutable   return, later ack
 *   RabbitMQ, refused      nack
 *   Qpid, unroutable       nack, and the return is the very next method on the channel
 * So a return is remembered by message id until the ack of that message asks for it. The ids are
 * counted, not just kept: the same event may be on its way twice, after an alarm. Where the broker is not
 * RabbitMQ, a nack is held until the next method shows whether it was a return. If no next method
 * comes, two turns of the watchdog end the wait.
 *
 * Acks may overtake each other, when two queues are of different speed. The ring therefore has
 * holes; it is larger than the window, and when the oldest entry is so far behind that the ring is
 * full, sending waits for it. The oldest entry is also the only one whose age the watchdog looks at.
 *
 * Each entry is settled once, by whoever takes it out under the lock; the futures are completed by
 * the owner's consumer, outside of the lock and away from the connection's thread.
 */
/** The events of one channel that were sent and have no result yet. Safe for many threads. */
final class Confirms {

  /** Whether an event may be sent. */
  enum Admission {
    /** It has its sequence number; send it now. */
    ADMITTED,
    /** The broker takes nothing; the event was not taken in. */
    BLOCKED,
    /** The channel is dead; the event was not taken in. */
    ENDED
  }

  private static final int SLACK = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition space = lock.newCondition();
  private final Condition drained = lock.newCondition();
  private final int window;
  private final int wakeAt;
  private final boolean returnFollowsNack;
  private final Consumer<List<Pending>> onSettled;
  private final @Nullable Pending[] ring;
  private final Map<String, Integer> returned = new HashMap<>();
  private final Deque<Pending> heldNacks = new ArrayDeque<>();
  private int heldAtLastTurn;
  private long first = 1;
  private long next = 1;
  private int open;
  private volatile boolean blocked; // written under the lock
  private long unblockedAt;
  private boolean anyConfirmed;
  private @Nullable String end;

  /**
   * Nothing is sent yet.
   *
   * @param returnFollowsNack true unless the broker is known to send returns first
   * @param onSettled gets events that have their result, and completes them; must not block
   */
  Confirms(int window, boolean returnFollowsNack, Consumer<List<Pending>> onSettled) {
    this.window = window;
    // Waking the sender for every single confirm would cost a change of threads per event.
    this.wakeAt = window - Math.max(1, window / 8);
    this.returnFollowsNack = returnFollowsNack;
    this.onSettled = onSettled;
    this.ring = new Pending[Integer.highestOneBit(Math.max(16, window * SLACK - 1)) * 2];
    this.unblockedAt = System.nanoTime();
  }

  /** Waits for room in the window and gives the event the next sequence number. */
  Admission admit(Pending pending) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (end == null && !blocked && (open >= window || next - first >= ring.length)) {
        space.await();
      }
      if (end != null) {
        return Admission.ENDED;
      }
      if (blocked) {
        return Admission.BLOCKED;
      }
      pending.sent(System.nanoTime());
      ring[slot(next)] = pending;
      next++;
      open++;
      return Admission.ADMITTED;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The broker's answer for one sequence number or, if {@code multiple}, all up to it.
   *
   * @throws IllegalStateException if nothing with that number was sent: the channel is out of step
   */
  void answered(long number, boolean multiple, boolean ack) {
    settle(
        settled -> {
          long last = multiple && number == 0 ? next - 1 : number;
          if (last >= next || last < (multiple ? 0 : 1)) {
            throw new IllegalStateException("the broker confirmed a message that was not sent");
          }
          releaseHeldNacks(heldNacks.size(), settled);
          for (long n = multiple ? first : Math.max(last, first); n <= last; n++) {
            Pending pending = ring[slot(n)];
            ring[slot(n)] = null;
            if (pending != null) {
              answer(pending, ack, settled);
            }
          }
          while (first < next && ring[slot(first)] == null) {
            first++;
          }
          anyConfirmed |= ack;
        });
  }

  private void answer(Pending pending, boolean ack, List<Pending> settled) {
    boolean wasReturned =
        !returned.isEmpty()
            && returned.computeIfPresent(pending.id(), (id, n) -> n - 1) != null
            && forgetIfZero(pending.id());
    if (pending.isSettled()) {
      return; // given up during an alarm; the answer comes too late
    }
    if (wasReturned) {
      pending.unroutable();
    } else if (ack) {
      pending.confirmed();
    } else if (returnFollowsNack) {
      heldNacks.add(pending);
      return;
    } else {
      pending.nacked();
    }
    settled.add(pending);
  }

  private boolean forgetIfZero(String id) {
    returned.remove(id, 0);
    return true;
  }

  /** The broker found no queue for the message. */
  void returned(String id) {
    settle(
        settled -> {
          for (Pending held : heldNacks) {
            if (held.id().equals(id)) {
              heldNacks.remove(held);
              heldAtLastTurn = Math.max(0, heldAtLastTurn - 1);
              held.unroutable();
              settled.add(held);
              return;
            }
          }
          returned.merge(id, 1, Integer::sum);
        });
  }

  private void releaseHeldNacks(int count, List<Pending> settled) {
    for (int i = 0; i < count && !heldNacks.isEmpty(); i++) {
      Pending held = heldNacks.remove();
      heldAtLastTurn = Math.max(0, heldAtLastTurn - 1);
      held.nacked();
      settled.add(held);
    }
  }

  /** A turn of the watchdog: what was held at the last turn already was no return. */
  void turn() {
    settle(
        settled -> {
          releaseHeldNacks(heldAtLastTurn, settled);
          heldAtLastTurn = heldNacks.size();
        });
  }

  /** How long the oldest event without an answer has waited; zero if there is none. */
  long oldestNanos() {
    lock.lock();
    try {
      Pending oldest = first < next ? ring[slot(first)] : null;
      if (oldest == null) {
        return 0;
      }
      long now = System.nanoTime();
      return Math.min(now - oldest.sentAt(), now - unblockedAt);
    } finally {
      lock.unlock();
    }
  }

  /** The broker raised or cleared an alarm. */
  void blocked(boolean on) {
    lock.lock();
    try {
      blocked = on;
      // Time under the alarm does not count: nothing could be answered.
      unblockedAt = on ? unblockedAt : System.nanoTime();
      space.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isBlocked() {
    return blocked;
  }

  /** Makes all open events unknown, but stays in step: their answers may still come. */
  void giveUp(String cause) {
    settle(settled -> makeUnknown(cause, settled));
  }

  /** Makes all open events unknown and admits no more. False if that was done before. */
  boolean end(String cause) {
    return settle(
        settled -> {
          end = cause;
          releaseHeldNacks(heldNacks.size(), settled);
          makeUnknown(cause, settled);
        });
  }

  private void makeUnknown(String cause, List<Pending> settled) {
    for (long n = first; n < next; n++) {
      Pending pending = ring[slot(n)];
      if (pending != null && !pending.isSettled()) {
        pending.unknown(cause);
        settled.add(pending);
      }
    }
  }

  /** Why the channel ended, or null while it lives. */
  @Nullable String endCause() {
    lock.lock();
    try {
      return end;
    } finally {
      lock.unlock();
    }
  }

  boolean anyConfirmed() {
    lock.lock();
    try {
      return anyConfirmed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing is open; false if the time runs out first. */
  boolean awaitDrained(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    lock.lockInterruptibly();
    try {
      while (open > 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        drained.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Runs the change, unless dead, under the lock and hands on what it settled, in order. */
  private boolean settle(Consumer<List<Pending>> change) {
    List<Pending> settled = new ArrayList<>();
    lock.lock();
    try {
      if (end != null) {
        return false; // a late answer of a dead channel
      }
      change.accept(settled);
      open -= settled.size();
      if (open <= wakeAt || end != null) {
        space.signalAll();
      }
      if (open == 0) {
        drained.signalAll();
      }
      // Still under the lock: else two threads could hand on their events in the wrong order.
      if (!settled.isEmpty()) {
        onSettled.accept(settled);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int slot(long number) {
    return (int) (number & (ring.length - 1));
  }
}
