// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Brings rows from the outbox into the {@link Backlog}: forward by position, again for lines that
 * had to skip, and from the beginning in a sweep. The position is never the truth about what is
 * done; it only says where to look first. Used by the relay's thread only.
 */
final class RelayReader {

  private static final int MOST_LINES = 100_000;

  private final RelayConfig config;
  private final RelayReads reads;
  private final RelayStore store;
  private final RelayConnection connection;
  private final LateCommits late;
  private final Leases leases;
  private final Backlog backlog;
  private final LongSupplier nanoTime;

  private long position;
  private boolean readToEnd;
  private boolean anyBlocked = true;
  private boolean sweepFirst = true;
  private long sweepAtNanos;

  RelayReader(
      RelayConfig config,
      RelayReads reads,
      RelayStore store,
      RelayConnection connection,
      LateCommits late,
      Leases leases,
      Backlog backlog,
      LongSupplier nanoTime) {
    this.config = config;
    this.reads = reads;
    this.store = store;
    this.connection = connection;
    this.late = late;
    this.leases = leases;
    this.backlog = backlog;
    this.nanoTime = nanoTime;
    this.sweepAtNanos = nanoTime.getAsLong();
  }

  /** There may be something new at the end. */
  void look() {
    readToEnd = false;
  }

  /**
   * Rows may lie anywhere below the position, and so may what blocks them, for instance on a new
   * lane. Until a sweep has found them, nothing is read ahead.
   */
  void sweepAll() {
    late.reset();
    sweepFirst = true;
    anyBlocked = true;
  }

  /** Something below the position has changed. */
  void sweepSoon() {
    sweepAtNanos = nanoTime.getAsLong();
  }

  /** A Failed event holds back its aggregate from now on. */
  void blocked() {
    anyBlocked = true;
  }

  long sweepAtNanos() {
    return sweepAtNanos;
  }

  /** Reads what there is room for. Returns whether there may be something new to do. */
  boolean read(Map<Integer, Long> lanes) throws SQLException {
    if (!hasRoom()) {
      return false;
    }
    Map<Integer, Long> readable = new LinkedHashMap<>(lanes);
    readable.keySet().removeAll(leases.surplus());
    if (readable.isEmpty()) {
      return false;
    }
    boolean moved = resume(readable);
    if (sweepFirst || nanoTime.getAsLong() - sweepAtNanos >= 0) {
      moved |= sweep(readable);
    }
    return (!sweepFirst && readForward(readable)) || moved;
  }

  private boolean hasRoom() {
    return backlog.known() < 2 * (config.window() + config.batchSize())
        && backlog.lines() < MOST_LINES;
  }

  private boolean readForward(Map<Integer, Long> readable) throws SQLException {
    if (readToEnd || !hasRoom()) {
      return false;
    }
    long before = position;
    RelayReads.Page page =
        connection.call(open -> reads.readForward(open, readable, before, config.batchSize()));
    List<RelayRow> rows = page.rows();
    readToEnd = rows.size() < config.batchSize();
    long after = rows.isEmpty() ? before : rows.get(rows.size() - 1).id();
    boolean moved = offer(late(page, readable, before, after));
    position = after;
    leases.readUpTo(after);
    return offer(rows) || moved || !readToEnd;
  }

  private List<RelayRow> late(
      RelayReads.Page page, Map<Integer, Long> readable, long before, long after)
      throws SQLException {
    try {
      return late.before(page, readable, before, after, backlog::knows);
    } catch (SQLException e) {
      // What it knew may be half used up; a sweep from the beginning needs no knowledge.
      sweepAll();
      throw e;
    }
  }

  /** Reads again for lines that had to skip rows and can go on. */
  private boolean resume(Map<Integer, Long> readable) throws SQLException {
    Backlog.Resume resume = backlog.resume(nanoTime.getAsLong());
    if (resume.aggregates().isEmpty()) {
      return false;
    }
    long after = resume.from() - 1;
    OptionalLong rest = OptionalLong.empty();
    boolean moved = false;
    try {
      while (after < position) {
        if (!hasRoom()) {
          rest = OptionalLong.of(after + 1);
          break;
        }
        List<RelayRow> rows = page(readable, after, position);
        moved |= offer(rows);
        if (rows.size() < config.batchSize() || backlog.allSkip(resume.aggregates())) {
          break;
        }
        after = rows.get(rows.size() - 1).id();
      }
    } catch (SQLException e) {
      backlog.resumed(resume.aggregates(), OptionalLong.of(after + 1));
      throw e;
    }
    backlog.resumed(resume.aggregates(), rest);
    return moved;
  }

  /** Finds what committed below the position: a slow transaction, a lane of a relay that died. */
  private boolean sweep(Map<Integer, Long> readable) throws SQLException {
    long began = nanoTime.getAsLong();
    store
        .retry(connection, readable)
        .forEach(each -> backlog.reread(each.aggregate(), each.lane(), each.id()));
    anyBlocked = connection.call(store::anyBlocked);
    unblock();
    boolean moved = resume(readable);
    long after = 0;
    boolean whole = true;
    while (after < position) {
      if (!hasRoom()) {
        whole = false;
        break;
      }
      List<RelayRow> rows = page(readable, after, position);
      moved |= offer(rows);
      if (rows.size() < config.batchSize()) {
        break;
      }
      after = rows.get(rows.size() - 1).id();
    }
    long now = nanoTime.getAsLong();
    // A sweep over very many waiting rows must not become the relay's main occupation.
    long pause = Math.max(config.sweep().toNanos(), 20 * (now - began));
    sweepAtNanos = now + (whole ? pause : config.sweep().toNanos() / 4);
    sweepFirst &= !whole;
    return moved;
  }

  private void unblock() throws SQLException {
    List<String> waitingForOperator = backlog.blocked();
    if (!waitingForOperator.isEmpty()) {
      Set<String> still = connection.call(open -> store.blocked(open, waitingForOperator)).keySet();
      waitingForOperator.stream().filter(key -> !still.contains(key)).forEach(backlog::unblock);
    }
  }

  private List<RelayRow> page(Map<Integer, Long> readable, long after, long upTo)
      throws SQLException {
    return connection.call(open -> reads.read(open, readable, after, upTo, config.batchSize()));
  }

  private boolean offer(List<RelayRow> rows) throws SQLException {
    if (anyBlocked && !rows.isEmpty()) {
      List<String> aggregates =
          rows.stream()
              .map(RelayRow::aggregate)
              .filter(key -> key.indexOf('\n') > 0)
              .distinct()
              .toList();
      Map<String, Long> held = connection.call(open -> store.blocked(open, aggregates));
      for (RelayRow row : rows) {
        Long from = held.get(row.aggregate());
        if (from != null) {
          backlog.block(row.aggregate(), row.lane(), from);
        }
      }
    }
    boolean taken = false;
    long now = nanoTime.getAsLong();
    for (RelayRow row : rows) {
      taken |= backlog.offer(row, now) == Backlog.Offer.TAKEN;
    }
    return taken;
  }
}
