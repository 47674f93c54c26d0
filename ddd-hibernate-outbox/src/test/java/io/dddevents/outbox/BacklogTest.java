// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.RelayConfig.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order that a relay keeps, against a model: a table of events, and a random history of commits
 * (also late ones), reads, sends, answers, retries, failures, operators and lost lanes. A seed that
 * fails is in the message; run it alone with {@code -Dddd.seed=…}.
 */
final class BacklogTest {

  private static final int HISTORIES = 400;
  private static final int STEPS = 400;

  @ParameterizedTest
  @EnumSource(Order.class)
  void noHistoryBreaksTheOrderOrLosesAnEvent(Order order) {
    String fixed = System.getProperty("ddd.seed");
    if (fixed != null) {
      new History(order, Long.parseLong(fixed)).run();
      return;
    }
    for (int i = 0; i < HISTORIES; i++) {
      long seed = new Random(i * 7919L).nextLong();
      try {
        new History(order, seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("order " + order + ", seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void anAnswerToARowThatWasReadAnewChangesNothing() {
    Backlog backlog = new Backlog(Order.CONFIRMED);
    RelayRow first = History.row(1, "a");
    backlog.offer(first, 0);
    assertThat(backlog.send()).isEqualTo(first);
    backlog.drop(0);
    RelayRow again = History.row(1, "a");
    backlog.offer(again, 0);
    assertThat(backlog.send()).isEqualTo(again);
    assertThat(backlog.awaits(first)).isFalse();
    backlog.confirmed(first);
    assertThat(backlog.inFlight()).isEqualTo(1);
    backlog.confirmed(again);
    assertThat(backlog.inFlight()).isZero();
  }

  /** One random history. */
  private static final class History {

    private final Random random;
    private final Order order;
    private final Backlog backlog;

    /** Committed and not ended; position to aggregate. */
    private final TreeMap<Long, String> table = new TreeMap<>();

    private final TreeMap<Long, String> uncommitted = new TreeMap<>();
    private final Map<Long, String> failed = new HashMap<>();
    private final List<RelayRow> inFlight = new ArrayList<>();
    private final Set<Long> confirmed = new HashSet<>();
    private final Map<Long, Integer> sent = new HashMap<>();
    private final Set<Long> suspects = new HashSet<>();
    private final Set<Long> wanted = new HashSet<>();
    private long nextId = 1;
    private long position;
    private long now;

    History(Order order, long seed) {
      this.order = order;
      this.random = new Random(seed);
      this.backlog = new Backlog(order);
    }

    static RelayRow row(long id, String aggregate) {
      return new RelayRow(id, 0, 1, new UUID(0, id), "t", "A\n" + aggregate, null, null, 0, 0);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step(random.nextInt(100));
        assertThat(backlog.inFlight()).isEqualTo(inFlight.size());
        assertThat(backlog.queued()).isNotNegative();
      }
      drain();
      assertThat(table).isEmpty();
      assertThat(backlog.queued() + backlog.inFlight()).isZero();
    }

    private void step(int dice) {
      now += random.nextInt(3);
      if (dice < 25) {
        commit();
      } else if (dice < 40) {
        read();
      } else if (dice < 65) {
        send();
      } else if (dice < 88) {
        answer();
      } else if (dice < 94) {
        acknowledge();
      } else if (dice < 97) {
        operate();
      } else if (dice < 99) {
        commitLate();
      } else {
        loseTheLane();
      }
    }

    /**
     * Some transactions hold their positions back; an aggregate has one at a time, as a row lock.
     */
    private void commit() {
      String aggregate = Integer.toString(random.nextInt(6));
      for (int i = random.nextInt(4); i >= 0; i--) {
        boolean late = uncommitted.containsValue(aggregate) || random.nextInt(20) == 0;
        (late ? uncommitted : table).put(nextId++, aggregate);
      }
    }

    private void commitLate() {
      table.putAll(uncommitted);
      uncommitted.clear();
    }

    private void read() {
      resume();
      if (random.nextInt(4) == 0) {
        wanted.forEach(
            id -> {
              String key = Objects.requireNonNull(failed.remove(id));
              table.put(id, key.substring(2));
              backlog.reread(key, 0, id);
            });
        wanted.clear();
        backlog.blocked().stream()
            .filter(key -> !failed.containsValue(key))
            .forEach(backlog::unblock);
        resume();
        offer(0, position);
      }
      // What LateCommits does: rows that were not committed when they were passed come first.
      long before = position;
      position = Math.max(position, table.isEmpty() ? 0 : table.lastKey());
      List<Long> visible = suspects.stream().filter(table::containsKey).sorted().toList();
      visible.forEach(id -> offer(id, id));
      suspects.removeAll(visible);
      offer(before + 1, position);
      uncommitted.headMap(position, true).keySet().forEach(suspects::add);
    }

    private void resume() {
      Backlog.Resume resume = backlog.resume(now);
      if (!resume.aggregates().isEmpty()) {
        offer(resume.from(), position);
        backlog.resumed(resume.aggregates(), OptionalLong.empty());
      }
    }

    private void offer(long from, long to) {
      if (from > to) {
        return;
      }
      table
          .subMap(from, true, to, true)
          .forEach(
              (id, aggregate) -> {
                String key = "A\n" + aggregate;
                failed.entrySet().stream()
                    .filter(each -> each.getValue().equals(key))
                    .forEach(each -> backlog.block(key, 0, each.getKey()));
                backlog.offer(row(id, aggregate), now);
              });
    }

    private void send() {
      RelayRow row = backlog.send();
      if (row == null) {
        return;
      }
      String aggregate = row.aggregate().substring(2);
      if (order == Order.CONFIRMED) {
        assertThat(inFlight)
            .as("one of %s at a time", aggregate)
            .noneMatch(other -> other.aggregate().equals(row.aggregate()));
      }
      table
          .headMap(row.id())
          .forEach(
              (earlier, owner) -> {
                boolean waits =
                    owner.equals(aggregate)
                        && !confirmed.contains(earlier)
                        && (order == Order.CONFIRMED || !sent.containsKey(earlier));
                assertThat(waits).as("%d is sent before %d", row.id(), earlier).isFalse();
              });
      assertThat(failed.entrySet())
          .as("%d is sent though its aggregate is held back", row.id())
          .noneMatch(each -> each.getValue().equals(row.aggregate()) && each.getKey() < row.id());
      sent.merge(row.id(), 1, Integer::sum);
      inFlight.add(row);
    }

    private void answer() {
      if (inFlight.isEmpty()) {
        return;
      }
      RelayRow row = inFlight.remove(random.nextInt(inFlight.size()));
      int dice = random.nextInt(20);
      if (dice < 14 || (order == Order.PIPELINED && dice > 15)) {
        backlog.confirmed(row);
        confirmed.add(row.id());
      } else if (dice < 17) {
        backlog.unknown(row);
      } else if (dice < 19) {
        backlog.retry(row, now + random.nextInt(20));
      } else {
        table.remove(row.id());
        failed.put(row.id(), row.aggregate());
        backlog.block(row);
      }
    }

    private void acknowledge() {
      confirmed.forEach(table::remove);
      backlog.forget(confirmed);
      confirmed.clear();
    }

    /** An operator discards what failed, or asks for a retry. */
    private void operate() {
      for (Long id : List.copyOf(failed.keySet())) {
        if (random.nextBoolean()) {
          wanted.add(id);
        } else if (!wanted.contains(id)) {
          failed.remove(id);
        }
      }
    }

    private void loseTheLane() {
      backlog.drop(0);
      inFlight.clear();
      acknowledge();
      suspects.clear();
      position = 0;
    }

    private void drain() {
      operate();
      commitLate();
      for (int i = 0; i < 5_000 && !(table.isEmpty() && failed.isEmpty()); i++) {
        now += 30;
        read();
        send();
        answer();
        acknowledge();
        operate();
      }
    }
  }
}
