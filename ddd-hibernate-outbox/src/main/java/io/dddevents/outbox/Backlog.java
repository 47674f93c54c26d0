// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the relay has read and not finished, and what of it may be sent. It decides order, and does
 * no input or output; one thread uses it.
 *
 * <p>Each aggregate has a line. The head of a line may be sent; with {@link
 * RelayConfig.Order#CONFIRMED} only one of a line is on its way at a time. A line that must wait
 * (for a retry, for an operator, or because it is long enough) takes no further rows: it remembers
 * the position of the first row it skipped, and rows after that position are skipped too, so
 * nothing overtakes. When it may go on, the rows are read again from that position ({@link
 * #resume}).
 */
final class Backlog {

  /** What became of a row that was offered. */
  enum Offer {
    /** It stands in its line. */
    TAKEN,
    /** It is here already. */
    KNOWN,
    /** Its line takes none now; it will be read again. */
    SKIPPED
  }

  private enum State {
    OPEN,
    WAITING,
    BLOCKED
  }

  private static final int LINE_LENGTH = 200;

  private final boolean pipelined;
  private final Map<String, Line> lines = new HashMap<>();
  private final Map<Long, RelayRow> known = new HashMap<>();
  private final ArrayDeque<Line> ready = new ArrayDeque<>();
  private final PriorityQueue<Line> waiting =
      new PriorityQueue<>(Comparator.comparingLong((Line line) -> line.dueNanos));
  private final Set<Line> skipping = new HashSet<>();
  private int queued;
  private int inFlight;

  Backlog(RelayConfig.Order order) {
    this.pipelined = order == RelayConfig.Order.PIPELINED;
  }

  int queued() {
    return queued;
  }

  int inFlight() {
    return inFlight;
  }

  /** How many rows are here: queued, on their way, or confirmed and not acknowledged. */
  int known() {
    return known.size();
  }

  /** How many aggregates have something waiting; the relay reads no further beyond a limit. */
  int lines() {
    return lines.size();
  }

  /** Rows that were read, sent or confirmed, and are not acknowledged, of one lane. */
  long open(int lane) {
    return known.values().stream().filter(row -> row.lane() == lane).count();
  }

  boolean knows(long id) {
    return known.containsKey(id);
  }

  Offer offer(RelayRow row, long nowNanos) {
    if (known.containsKey(row.id())) {
      return Offer.KNOWN;
    }
    Line line = lines.computeIfAbsent(row.aggregate(), key -> new Line(key, row.lane()));
    if (line.state == State.OPEN && row.waitMicros() > 0 && row.id() < line.skippedFrom) {
      await(line, nowNanos + row.waitMicros() * 1_000);
      skip(line, row.id());
    }
    boolean full = line.rows.size() >= LINE_LENGTH;
    if (line.state != State.OPEN || row.id() >= line.skippedFrom || full) {
      skip(line, row.id());
      return Offer.SKIPPED;
    }
    known.put(row.id(), row);
    insert(line, row);
    return Offer.TAKEN;
  }

  /** The next row to send; null if none may be sent now. It is on its way from here on. */
  @Nullable RelayRow send() {
    Line line = ready.poll();
    if (line == null) {
      return null;
    }
    line.isReady = false;
    RelayRow row = line.rows.poll();
    if (row == null) {
      throw new IllegalStateException("a line without rows was ready: " + line.key);
    }
    queued--;
    inFlight++;
    line.inFlight++;
    becomeReady(line);
    return row;
  }

  /**
   * Whether this very row is here. After a lane was lost and came back, an answer may arrive for a
   * row that was dropped and read anew; it says nothing about the new one.
   */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  boolean awaits(RelayRow row) {
    return known.get(row.id()) == row;
  }

  /** The broker has it; it stays known until {@link #forget}. */
  void confirmed(RelayRow row) {
    arrived(row);
  }

  /** Nobody knows what became of it: it is sent again, before anything behind it. */
  void unknown(RelayRow row) {
    Line line = arrived(row);
    if (line == null) {
      return;
    }
    insert(line, row);
  }

  /** It failed and is tried again later; its line waits until then. */
  void retry(RelayRow row, long dueNanos) {
    Line line = arrived(row);
    known.remove(row.id());
    if (line != null) {
      await(line, dueNanos);
      skip(line, row.id());
      empty(line);
    }
  }

  /** It ended Failed and holds back what comes after it. */
  void block(RelayRow row) {
    Line line = arrived(row);
    known.remove(row.id());
    if (line != null) {
      block(line, row.id());
    }
  }

  /** Another relay, or an earlier life of this one, has seen the aggregate fail. */
  void block(String aggregate, int lane, long fromId) {
    block(lines.computeIfAbsent(aggregate, key -> new Line(key, lane)), fromId);
  }

  /** The aggregates that wait for an operator. */
  List<String> blocked() {
    return lines.values().stream()
        .filter(line -> line.state == State.BLOCKED)
        .map(line -> line.key)
        .toList();
  }

  /** An operator has decided; the aggregate goes on. */
  void unblock(String aggregate) {
    Line line = lines.get(aggregate);
    if (line != null && line.state == State.BLOCKED) {
      line.state = State.OPEN;
      skipping.add(line);
    }
  }

  /** A row has come back behind the relay; the line reads again from there before it goes on. */
  void reread(String aggregate, int lane, long fromId) {
    skip(lines.computeIfAbsent(aggregate, key -> new Line(key, lane)), fromId);
  }

  /** The row is gone from the outbox. */
  void forget(Collection<Long> ids) {
    ids.forEach(
        id -> {
          RelayRow row = known.remove(id);
          if (row != null) {
            closeIfIdle(lines.get(row.aggregate()));
          }
        });
  }

  /**
   * Forgets everything of a lane that is no longer ours; answers for it are ignored from now on.
   */
  void drop(int lane) {
    known.values().removeIf(row -> row.lane() == lane);
    for (Iterator<Line> each = lines.values().iterator(); each.hasNext(); ) {
      Line line = each.next();
      if (line.lane == lane) {
        queued -= line.rows.size();
        inFlight -= line.inFlight;
        ready.remove(line);
        waiting.remove(line);
        skipping.remove(line);
        each.remove();
      }
    }
  }

  /**
   * The lines that skipped rows and can take them now, and from which position to read for them.
   * They forget that they skipped; what they cannot take they skip again.
   */
  Resume resume(long nowNanos) {
    while (!waiting.isEmpty() && waiting.peek().dueNanos <= nowNanos) {
      Line line = waiting.remove();
      line.state = State.OPEN;
      skipping.add(line);
      becomeReady(line);
    }
    long from = Long.MAX_VALUE;
    Set<String> resumed = new HashSet<>();
    for (Iterator<Line> each = skipping.iterator(); each.hasNext(); ) {
      Line line = each.next();
      if (line.state == State.OPEN && line.rows.size() <= LINE_LENGTH / 4) {
        from = Math.min(from, line.skippedFrom);
        line.skippedFrom = Long.MAX_VALUE;
        resumed.add(line.key);
        each.remove();
      }
    }
    return new Resume(from, resumed);
  }

  /** Whether every one of these lines has skipped again, so that reading on is of no use. */
  boolean allSkip(Collection<String> aggregates) {
    return aggregates.stream()
        .map(lines::get)
        .allMatch(line -> line != null && line.skippedFrom != Long.MAX_VALUE);
  }

  /** The reading for these lines is over; what was not offered, they have skipped. */
  void resumed(Collection<String> aggregates, OptionalLong notOfferedFrom) {
    for (String aggregate : aggregates) {
      Line line = lines.get(aggregate);
      if (line != null) {
        notOfferedFrom.ifPresent(id -> skip(line, id));
        closeIfIdle(line);
      }
    }
  }

  /** When the next waiting line is due; empty if none waits. */
  OptionalLong nextDue() {
    return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.peek().dueNanos);
  }

  /** Nearly always at the end; a row that committed late, or comes back, goes where it belongs. */
  private void insert(Line line, RelayRow row) {
    RelayRow last = line.rows.peekLast();
    line.rows.add(row);
    if (last != null && last.id() > row.id()) {
      List<RelayRow> sorted = new ArrayList<>(line.rows);
      sorted.sort(Comparator.comparingLong(RelayRow::id));
      line.rows.clear();
      line.rows.addAll(sorted);
    }
    queued++;
    becomeReady(line);
  }

  private @Nullable Line arrived(RelayRow row) {
    Line line = lines.get(row.aggregate());
    if (line == null || !awaits(row)) {
      return null;
    }
    inFlight--;
    line.inFlight--;
    becomeReady(line);
    return line;
  }

  private void becomeReady(Line line) {
    boolean may = pipelined || line.inFlight == 0;
    if (!line.isReady && may && !line.rows.isEmpty() && line.state == State.OPEN) {
      line.isReady = true;
      ready.add(line);
    }
  }

  private void await(Line line, long dueNanos) {
    line.state = State.WAITING;
    line.dueNanos = dueNanos;
    waiting.add(line);
  }

  private void block(Line line, long fromId) {
    if (line.state == State.WAITING) {
      waiting.remove(line);
    }
    line.state = State.BLOCKED;
    line.skippedFrom = Math.min(line.skippedFrom, fromId);
    empty(line);
  }

  /** Its rows will be read again. */
  private void empty(Line line) {
    line.rows.forEach(row -> known.remove(row.id()));
    queued -= line.rows.size();
    line.rows.clear();
    if (line.isReady) {
      line.isReady = false;
      ready.remove(line);
    }
  }

  private void skip(Line line, long id) {
    line.skippedFrom = Math.min(line.skippedFrom, id);
    if (line.state == State.OPEN) {
      skipping.add(line);
    }
  }

  private void closeIfIdle(@Nullable Line line) {
    if (line != null
        && line.state == State.OPEN
        && line.rows.isEmpty()
        && line.inFlight == 0
        && line.skippedFrom == Long.MAX_VALUE) {
      lines.remove(line.key);
    }
  }

  /**
   * What to read again.
   *
   * @param from the first position
   * @param aggregates for which lines; empty if there is nothing to read
   */
  record Resume(long from, Set<String> aggregates) {}

  private static final class Line {

    private final String key;
    private final int lane;
    private final ArrayDeque<RelayRow> rows = new ArrayDeque<>(2);
    private State state = State.OPEN;
    private int inFlight;
    private boolean isReady;
    private long skippedFrom = Long.MAX_VALUE;
    private long dueNanos;

    Line(String key, int lane) {
      this.key = key;
      this.lane = lane;
    }
  }
}
