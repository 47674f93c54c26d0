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
  }

  void failed() {
    failed.incrementAndGet();
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
