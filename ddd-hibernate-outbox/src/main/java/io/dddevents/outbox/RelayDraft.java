// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RetryPolicy;
import io.dddevents.outbox.RelayConfig.Order;
import java.time.Duration;
import java.util.Set;

/** A config that is still being changed, and so not checked yet. */
final class RelayDraft {

  int batchSize;
  int window;
  Duration interval;
  Duration sweep;
  Duration lease;
  Duration stopTimeout;
  Duration retention;
  Duration dedupeRetention;
  Duration inboxRetention;
  Duration purgeInterval;
  RetryPolicy retry;
  Order order;
  Set<String> skipFailed;

  RelayDraft(RelayConfig from) {
    this.batchSize = from.batchSize();
    this.window = from.window();
    this.interval = from.interval();
    this.sweep = from.sweep();
    this.lease = from.lease();
    this.stopTimeout = from.stopTimeout();
    this.retention = from.retention();
    this.dedupeRetention = from.dedupeRetention();
    this.inboxRetention = from.inboxRetention();
    this.purgeInterval = from.purgeInterval();
    this.retry = from.retry();
    this.order = from.order();
    this.skipFailed = from.skipFailed();
  }

  RelayConfig config() {
    return new RelayConfig(
        batchSize,
        window,
        interval,
        sweep,
        lease,
        stopTimeout,
        retention,
        dedupeRetention,
        inboxRetention,
        purgeInterval,
        retry,
        order,
        skipFailed);
  }
}
