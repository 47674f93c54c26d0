// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.concurrent.atomic.AtomicLong;

/** What a relay has done since it was made. Read by anyone, written by its thread. */
final class RelayCounters {

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong published = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong lostLanes = new AtomicLong();
  private final AtomicLong damaged = new AtomicLong();
  private final AtomicLong takenOver = new AtomicLong();
  private final AtomicLong purged = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong answeredNanos = new AtomicLong();
  private final RelayPulse pulse = new RelayPulse(System::nanoTime);

  void sent() {
    sent.incrementAndGet();
  }

  void published() {
    published.incrementAndGet();
  }

  void acknowledged(int rows, int missing) {
    acknowledged.addAndGet(rows);
    lost.addAndGet(missing);
  }

  void lostAnswer() {
    lost.incrementAndGet();
  }

  void refused() {
    refused.incrementAndGet();
    pulse.failure();
  }

  void failed() {
    failed.incrementAndGet();
    pulse.failure();
  }

  /** An event that failed because it is not what was stored. */
  void damaged() {
    damaged.incrementAndGet();
  }

  /** Lanes of relays that let their lease run out. */
  void takenOver(int lanes) {
    takenOver.addAndGet(lanes);
  }

  void purged(long rows) {
    purged.addAndGet(rows);
  }

  void answered(long nanos) {
    answered.incrementAndGet();
    answeredNanos.addAndGet(nanos);
  }

  long damagedCount() {
    return damaged.get();
  }

  long takenOverCount() {
    return takenOver.get();
  }

  long purgedCount() {
    return purged.get();
  }

  long answeredCount() {
    return answered.get();
  }

  long answeredNanos() {
    return answeredNanos.get();
  }

  RelayPulse pulse() {
    return pulse;
  }

  void lostLane() {
    lostLanes.incrementAndGet();
  }

  RelayStatistics snapshot() {
    return new RelayStatistics(
        sent.get(),
        published.get(),
        acknowledged.get(),
        refused.get(),
        failed.get(),
        lostLanes.get(),
        lost.get());
  }
}
