// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventEnvelope;
import io.dddevents.EventPublisher;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.outbox.FailedEvent.Kept;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a relay: read, publish, take the answers, acknowledge. One thread runs it; only
 * {@link #answered} is called from elsewhere, by the publisher.
 *
 * <p>No transaction is open while it waits for the broker.
 */
final class RelayWorker {

  private static final Logger log = LoggerFactory.getLogger(RelayWorker.class);

  private static final long PATIENCE_NANOS = Duration.ofMillis(50).toNanos();

  private final RelayConfig config;
  private final RelayStore store;
  private final SafetyNet safetyNet;
  private final RelayConnection connection;
  private final Leases leases;
  private final EventPublisher publisher;
  private final String relay;
  private final LongSupplier nanoTime;
  private final RandomGenerator random = RandomGenerator.getDefault();

  private final Backlog backlog;
  private final RelayReader reader;
  private final Circuit broker = new Circuit(random);
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Answer> unsettled = new ArrayDeque<>();
  private final Map<Long, RelayRow> confirmed = new LinkedHashMap<>();
  private final RelayCounters counters;
  private volatile @Nullable Thread waiting;
  private volatile boolean halted;
  private volatile long patienceEnds;

  private Map<Integer, Long> lanes = Map.of();

  RelayWorker(
      RelayConfig config,
      RelayStore store,
      SafetyNet safetyNet,
      RelayConnection connection,
      RelayReads reads,
      LateCommits late,
      Leases leases,
      EventPublisher publisher,
      String relay,
      RelayCounters counters,
      LongSupplier nanoTime) {
    this.config = config;
    this.store = store;
    this.safetyNet = safetyNet;
    this.connection = connection;
    this.leases = leases;
    this.publisher = publisher;
    this.relay = relay;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.backlog = new Backlog(config.order());
    this.reader =
        new RelayReader(config, reads, store, connection, late, leases, backlog, nanoTime);
  }

  /** Works until there is nothing to do now, or, once halted, until what is under way has ended. */
  void pass() throws SQLException {
    reader.look();
    while (true) {
      counters.pulse().turn();
      follow(leases.valid());
      boolean moved = settle();
      moved |= !halted && publish();
      moved |= acknowledge(config.batchSize());
      moved |= !halted && reader.read(lanes);
      releaseSurplus();
      if (!moved) {
        if (backlog.inFlight() > 0 && halted && nanoTime.getAsLong() - patienceEnds >= 0) {
          acknowledge(1);
          return;
        }
        if (backlog.inFlight() > 0) {
          awaitAnswer(PATIENCE_NANOS);
        } else if (confirmed.isEmpty()) {
          return;
        } else {
          acknowledge(1);
        }
      }
    }
  }

  /**
   * Takes no new work from now on; answers are awaited for at most so long. Any thread may call.
   */
  void halt(long untilNanos) {
    patienceEnds = untilNanos;
    halted = true;
  }

  void goOn() {
    halted = false;
  }

  /** When something is due that no wake-up announces: a retry, a probe, a sweep. */
  OptionalLong nextDueNanos() {
    long due = reader.sweepAtNanos();
    if (backlog.nextDue().isPresent()) {
      due = Math.min(due, backlog.nextDue().getAsLong());
    }
    if (broker.isOpen()) {
      due = Math.min(due, broker.probeAtNanos());
    }
    return OptionalLong.of(due);
  }

  boolean isHalted() {
    return halted;
  }

  boolean brokerIsDown() {
    return broker.isOpen();
  }

  /** Forgets what it knows of lanes that are no longer ours. */
  private void follow(Map<Integer, Long> now) {
    if (now.equals(lanes)) {
      return;
    }
    for (Map.Entry<Integer, Long> lane : lanes.entrySet()) {
      if (!lane.getValue().equals(now.get(lane.getKey()))) {
        counters.lostLane();
        backlog.drop(lane.getKey());
        confirmed.values().removeIf(row -> row.lane() == lane.getKey());
        unsettled.removeIf(answer -> answer.row().lane() == lane.getKey());
      }
    }
    if (!lanes.keySet().containsAll(now.keySet())) {
      reader.sweepAll();
    }
    lanes = now;
  }

  private boolean settle() throws SQLException {
    for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
      unsettled.add(answer);
    }
    boolean moved = false;
    while (!unsettled.isEmpty()) {
      Answer answer = unsettled.peek();
      RelayRow row = answer.row();
      Long epoch = lanes.get(row.lane());
      if (epoch == null || epoch != row.epoch() || !backlog.awaits(row)) {
        counters.lostAnswer();
      } else if (answer.result().outcome() == Outcome.CONFIRMED) {
        backlog.confirmed(row);
        confirmed.put(row.id(), row);
        counters.published();
        brokerAnswered();
      } else if (answer.result().outcome().isOutage()) {
        backlog.unknown(row);
        brokerIsSilent(answer.result().detail());
      } else {
        brokerAnswered();
        failedAttempt(row, answer.result());
      }
      unsettled.remove();
      moved = true;
    }
    return moved;
  }

  private void brokerAnswered() {
    if (broker.succeeded()) {
      log.info("The broker answers again: relay={}", relay);
    }
  }

  private void brokerIsSilent(String detail) {
    if (broker.failed(nanoTime.getAsLong())) {
      log.warn(
          "The broker cannot be reached; events wait and no attempt is counted: relay={} cause={}",
          relay,
          detail);
    }
  }

  private boolean publish() throws SQLException {
    boolean moved = false;
    while (backlog.inFlight() < config.window() && broker.allows(nanoTime.getAsLong())) {
      RelayRow row = backlog.send();
      if (row == null) {
        return moved;
      }
      moved = true;
      EventEnvelope envelope = row.envelope();
      if (envelope == null || row.damage() != null) {
        endDamaged(row);
      } else if (leases.owns(row.lane(), row.epoch())) {
        counters.sent();
        long sentAt = nanoTime.getAsLong();
        CompletableFuture<PublishResult> unused =
            publisher
                .publish(new Publication(envelope, row.id(), attempt(row), relay))
                .whenComplete(
                    (result, error) -> {
                      counters.answered(nanoTime.getAsLong() - sentAt);
                      answered(row, result, error);
                    });
      } else {
        // The next turn of the loop sees that the lane is gone.
        backlog.unknown(row);
        return false;
      }
    }
    return moved;
  }

  private void endDamaged(RelayRow row) throws SQLException {
    try {
      end(row, "INTEGRITY", "the stored event is damaged: " + row.damage());
      counters.damaged();
    } catch (SQLException e) {
      backlog.unknown(row);
      throw e;
    }
  }

  /** Called by the publisher, on its own thread. */
  private void answered(RelayRow row, @Nullable PublishResult result, @Nullable Throwable error) {
    answers.add(
        new Answer(
            row,
            result == null
                ? new PublishResult(Outcome.UNKNOWN, "the publisher threw " + error)
                : result));
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void awaitAnswer(long nanos) {
    waiting = Thread.currentThread();
    try {
      if (answers.isEmpty() && nanos > 0) {
        LockSupport.parkNanos(this, nanos);
      }
    } finally {
      waiting = null;
    }
  }

  private void failedAttempt(RelayRow row, PublishResult result) throws SQLException {
    String error = result.outcome() + ": " + result.detail();
    Optional<Duration> delay = config.retry().delayAfter(attempt(row), random);
    if (delay.isEmpty()) {
      end(row, result.outcome().name(), error);
      return;
    }
    counters.refused();
    log.warn(
        "Publish failed, will retry: event={} type={} attempt={} delay={} cause={}",
        row.eventId(),
        row.type(),
        attempt(row),
        delay.get(),
        result.outcome());
    if (store.putOff(connection, row, clip(error), delay.get())) {
      backlog.retry(row, nanoTime.getAsLong() + delay.get().toNanos());
    } else {
      readAgain(row);
    }
  }

  private void end(RelayRow row, String cause, String error) throws SQLException {
    boolean blocks = row.aggregate().indexOf('\n') > 0 && !config.skipFailed().contains(row.type());
    Kept kept = safetyNet.take(row, attempt(row), cause, clip(error), blocks);
    if (kept == null) {
      readAgain(row);
      return;
    }
    if (kept == Kept.OUTBOX) {
      backlog.retry(row, nanoTime.getAsLong() + SafetyNet.PATIENCE.toNanos());
      return;
    }
    counters.failed();
    log.error(
        "Event failed and needs an operator: event={} type={} attempt={} cause={} blocks={} kept={}",
        row.eventId(),
        row.type(),
        attempt(row),
        cause,
        blocks,
        kept);
    if (blocks && kept == Kept.TABLE) {
      reader.blocked();
      backlog.block(row);
    } else {
      backlog.confirmed(row);
      backlog.forget(Set.of(row.id()));
    }
  }

  /** Somebody else has changed the row, or the lane is gone: what stands there now is the truth. */
  private void readAgain(RelayRow row) {
    backlog.confirmed(row);
    backlog.forget(Set.of(row.id()));
    reader.sweepSoon();
  }

  /** A row that was tampered with must not overflow the count. */
  private static int attempt(RelayRow row) {
    return Math.min(Math.max(row.attempts(), 0), Integer.MAX_VALUE - 1) + 1;
  }

  private static String clip(String error) {
    return error.length() <= 500 ? error : error.substring(0, 499) + "…";
  }

  private boolean acknowledge(int least) throws SQLException {
    if (confirmed.isEmpty() || confirmed.size() < least) {
      return false;
    }
    Set<Long> ids = new HashSet<>(confirmed.keySet());
    int gone = store.acknowledge(connection, ids);
    counters.acknowledged(gone, ids.size() - gone);
    backlog.forget(ids);
    confirmed.clear();
    return true;
  }

  private void releaseSurplus() throws SQLException {
    Set<Integer> empty = new HashSet<>(leases.surplus());
    empty.removeIf(lane -> backlog.open(lane) > 0);
    if (!empty.isEmpty()) {
      empty.forEach(backlog::drop);
      leases.release(empty);
      lanes = leases.valid();
    }
  }

  private record Answer(RelayRow row, PublishResult result) {}
}
