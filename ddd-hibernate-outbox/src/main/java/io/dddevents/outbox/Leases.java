// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Which lanes this relay owns, in which epoch, and until when it may rely on that. {@link
 * #maintain} runs on its own thread, so that a slow broker never costs a lease; the relay's thread
 * asks.
 *
 * <p>A lease ends by the database's clock. Here it is taken to end earlier: it is counted from
 * before the statement was sent, and the last quarter of it is left unused.
 */
final class Leases implements AutoCloseable {

  private final LaneStore store;
  private final RelayConnection connection;
  private final Duration lease;
  private final RelayCounters counters;
  private final LongSupplier nanoTime;

  private Map<Integer, Long> owned = Map.of();
  private final Set<Integer> surplus = new HashSet<>();
  private long validUntil = Long.MIN_VALUE;
  private volatile long readUpTo;

  Leases(
      LaneStore store,
      RelayConnection connection,
      Duration lease,
      RelayCounters counters,
      LongSupplier nanoTime) {
    this.counters = counters;
    this.store = store;
    this.connection = connection;
    this.lease = lease;
    this.nanoTime = nanoTime;
  }

  /** Renews, takes a fair share of what is free, and marks what is too much. */
  void maintain() throws SQLException {
    long before = nanoTime.getAsLong();
    Map<Integer, Long> held =
        connection.transaction(
            open -> {
              int live = store.heartbeat(open);
              Map<Integer, Long> mine = new TreeMap<>(store.renew(open, readUpTo));
              int share = share(store.count(open), live);
              if (mine.size() < share) {
                Set<Integer> abandoned = store.abandoned(open);
                Map<Integer, Long> claimed = store.claim(open, share - mine.size());
                mine.putAll(claimed);
                abandoned.retainAll(claimed.keySet());
                counters.takenOver(abandoned.size());
              }
              store.forgetDead(open);
              markSurplus(mine, share);
              return mine;
            });
    synchronized (this) {
      owned = Map.copyOf(held);
      validUntil = before + lease.toNanos() * 3 / 4;
    }
  }

  /** The lanes whose lease is certain to last for now; empty if none is. */
  synchronized Map<Integer, Long> valid() {
    return nanoTime.getAsLong() - validUntil < 0 ? owned : Map.of();
  }

  synchronized boolean owns(int lane, long epoch) {
    return valid().getOrDefault(lane, -1L) == epoch;
  }

  /** Lanes that other relays are waiting for; the relay reads no more from them. */
  synchronized Set<Integer> surplus() {
    return Set.copyOf(surplus);
  }

  /** Gives up lanes on which nothing is open any more. */
  void release(Set<Integer> lanes) throws SQLException {
    connection.call(
        open -> {
          store.release(open, lanes);
          return lanes.size();
        });
    synchronized (this) {
      surplus.removeAll(lanes);
      Map<Integer, Long> rest = new TreeMap<>(owned);
      rest.keySet().removeAll(lanes);
      owned = Map.copyOf(rest);
    }
  }

  /** Gives up everything, at the end. */
  void leave() throws SQLException {
    synchronized (this) {
      owned = Map.of();
      surplus.clear();
    }
    connection.transaction(
        open -> {
          store.leave(open);
          return true;
        });
  }

  @Override
  public void close() {
    connection.close();
  }

  /** How far the relay has read; written with the next renewal, for the eyes of operators. */
  void readUpTo(long id) {
    readUpTo = id;
  }

  private static int share(int lanes, int relays) {
    return (lanes + relays - 1) / relays;
  }

  private synchronized void markSurplus(Map<Integer, Long> mine, int share) {
    surplus.retainAll(mine.keySet());
    List<Integer> lanes = new ArrayList<>(mine.keySet());
    for (int i = lanes.size() - 1; i >= 0 && mine.size() - surplus.size() > share; i--) {
      surplus.add(lanes.get(i));
    }
    if (mine.size() <= share) {
      surplus.clear();
    }
  }
}
