// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Finds rows that were not committed when the relay read past their position, before anything that
 * was committed after them goes out. Without it a slow transaction and the next one on the same
 * aggregate could be published the wrong way round: the second lies ahead of the relay, the first
 * behind it, where only the next sweep would find it.
 *
 * <p>It rests on the lock of the aggregate's row: of two transactions that change one aggregate,
 * the second cannot commit before the first has ended. So if the relay sees a row of the second, a
 * look back that begins afterwards sees all of the first. What is left to know is where to look:
 *
 * <ul>
 *   <li>PostgreSQL tells with every read which transactions had not ended. A transaction takes its
 *       positions after its number, so they lie above the position that the relay had reached when
 *       that number was not given out yet.
 *   <li>MariaDB, MySQL and H2 can read what is not committed: those positions themselves are known.
 * </ul>
 */
final class LateCommits {

  private static final int CHECKPOINTS = 512;

  private final SqlDialect dialect;
  private final RelayReads reads;
  private final RelayConnection committed;
  private final RelayConnection dirty;

  /** PostgreSQL: transactions that had not ended, and the position below which they have no row. */
  private final Map<Long, Long> running = new HashMap<>();

  private final ArrayDeque<Checkpoint> checkpoints = new ArrayDeque<>();

  /** Elsewhere: positions of rows that were not committed. */
  private final TreeSet<Long> suspects = new TreeSet<>();

  LateCommits(
      SqlDialect dialect, RelayReads reads, RelayConnection committed, RelayConnection dirty) {
    this.dialect = dialect;
    this.reads = reads;
    this.committed = committed;
    this.dirty = dirty;
  }

  /** Forgets everything; the caller sweeps. */
  void reset() {
    running.clear();
    checkpoints.clear();
    suspects.clear();
  }

  /**
   * The rows to publish before the page: those behind the relay that have become visible.
   *
   * @param page what was just read forward
   * @param before the position before that read
   * @param after the position after it
   * @param known tells which positions need not be read again
   */
  List<RelayRow> before(
      RelayReads.Page page, Map<Integer, Long> lanes, long before, long after, LongPredicate known)
      throws SQLException {
    List<Long> late =
        dialect == SqlDialect.POSTGRESQL
            ? lateBySnapshot(page, lanes, before, after)
            : lateByDirtyRead(page, lanes, before, after);
    late.removeIf(known::test);
    return late.isEmpty() ? List.of() : committed.call(open -> reads.rows(open, lanes, late));
  }

  private List<Long> lateBySnapshot(
      RelayReads.Page page, Map<Integer, Long> lanes, long before, long after) throws SQLException {
    Snapshot snapshot = Snapshot.parse(page.snapshot());
    long lookFrom = Long.MAX_VALUE;
    for (var each = running.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Long, Long> transaction = each.next();
      if (!snapshot.running().contains(transaction.getKey())) {
        lookFrom = Math.min(lookFrom, transaction.getValue());
        each.remove();
      }
    }
    for (long transaction : snapshot.running()) {
      running.computeIfAbsent(transaction, this::lowestPosition);
    }
    checkpoints.addLast(new Checkpoint(snapshot.next(), after));
    if (checkpoints.size() > CHECKPOINTS) {
      checkpoints.removeFirst();
    }
    long from = lookFrom;
    return from >= before
        ? new ArrayList<>()
        : committed.call(open -> reads.ids(open, lanes, from, before));
  }

  /** Where the relay was when the transaction had no number yet: its rows lie above. */
  private long lowestPosition(long transaction) {
    for (var each = checkpoints.descendingIterator(); each.hasNext(); ) {
      Checkpoint checkpoint = each.next();
      if (checkpoint.nextTransaction() <= transaction) {
        return checkpoint.position();
      }
    }
    return 0;
  }

  private List<Long> lateByDirtyRead(
      RelayReads.Page page, Map<Integer, Long> lanes, long before, long after) throws SQLException {
    List<Long> late = new ArrayList<>();
    if (!suspects.isEmpty()) {
      List<Long> still = dirty.call(open -> reads.ids(open, lanes, suspects));
      // Rolled back, or ended by another relay: gone either way.
      suspects.retainAll(still);
      if (!suspects.isEmpty()) {
        late.addAll(committed.call(open -> reads.ids(open, lanes, suspects)));
        late.forEach(suspects::remove);
      }
    }
    if (after > before) {
      Set<Long> read = new HashSet<>();
      page.rows().forEach(row -> read.add(row.id()));
      for (long id : dirty.call(open -> reads.ids(open, lanes, before, after))) {
        if (!read.contains(id)) {
          suspects.add(id);
        }
      }
    }
    return late;
  }

  /**
   * After this read no transaction with a number from {@code nextTransaction} on had a position.
   */
  private record Checkpoint(long nextTransaction, long position) {}

  /** PostgreSQL's {@code xmin:xmax:xip,xip}. */
  private record Snapshot(long next, Set<Long> running) {

    static Snapshot parse(String text) {
      String[] parts = text.split(":", -1);
      Set<Long> running = new HashSet<>();
      if (!parts[2].isEmpty()) {
        for (String transaction : parts[2].split(",", -1)) {
          running.add(Long.parseLong(transaction));
        }
      }
      return new Snapshot(Long.parseLong(parts[1]), running);
    }
  }
}
