// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventEnvelope;
import io.dddevents.EventPublisher;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/** Publishes archived events again, one after the other. One thread uses it. */
final class Replay {

  /** Longer than any publisher's own timeout. */
  private static final long PATIENCE_SECONDS = 120;

  private final EventPublisher publisher;
  private final Bulk bulk;
  private final LongFunction<List<RelayRow>> pages;
  private long confirmed;
  private long refused;
  private long damaged;
  private long last;

  /**
   * @param pages the rows after a position; empty at the end
   */
  Replay(EventPublisher publisher, Bulk bulk, LongFunction<List<RelayRow>> pages) {
    this.publisher = publisher;
    this.bulk = bulk;
    this.pages = pages;
  }

  ReplayResult run() {
    Pace pace = new Pace(bulk.perSecond());
    for (List<RelayRow> page = pages.apply(last); !page.isEmpty(); page = pages.apply(last)) {
      for (RelayRow row : page) {
        if (done() >= bulk.limit()) {
          return result(false);
        }
        if (!publish(row) || !pace.await(1)) {
          return result(true);
        }
      }
      if (!bulk.progress().test(done())) {
        return result(true);
      }
    }
    return result(false);
  }

  ReplayResult result(boolean stopped) {
    return new ReplayResult(confirmed, refused, damaged, last, stopped);
  }

  private long done() {
    return confirmed + refused + damaged;
  }

  /** Returns false if nobody knows what became of it. */
  private boolean publish(RelayRow row) {
    EventEnvelope envelope = row.envelope();
    if (envelope == null || row.damage() != null) {
      damaged++;
    } else {
      Outcome outcome = await(new Publication(envelope, row.id(), 1, "replay"));
      if (outcome == Outcome.CONFIRMED) {
        confirmed++;
      } else if (outcome.isOutage()) {
        return false;
      } else {
        refused++;
      }
    }
    last = row.id();
    return true;
  }

  private Outcome await(Publication publication) {
    try {
      PublishResult result = publisher.publish(publication).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return result.outcome();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.UNKNOWN;
    } catch (ExecutionException | TimeoutException e) {
      return Outcome.UNKNOWN;
    }
  }
}
