// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One event between being sent and its result. Guarded by the lock of its {@link Confirms}. */
final class Pending {

  private final String id;
  private final boolean mayBeUnrouted;
  private final CompletableFuture<PublishResult> future = new CompletableFuture<>();
  private long sentAt;
  private @Nullable PublishResult result;

  Pending(String id, boolean mayBeUnrouted) {
    this.id = id;
    this.mayBeUnrouted = mayBeUnrouted;
  }

  String id() {
    return id;
  }

  CompletableFuture<PublishResult> future() {
    return future;
  }

  void sent(long nanoTime) {
    sentAt = nanoTime;
  }

  long sentAt() {
    return sentAt;
  }

  boolean isSettled() {
    return result != null;
  }

  void confirmed() {
    result = PublishResult.confirmed();
  }

  void unroutable() {
    result =
        mayBeUnrouted
            ? PublishResult.confirmed()
            : new PublishResult(
                Outcome.UNROUTABLE, "NO_ROUTE: no queue is bound for its routing key");
  }

  void nacked() {
    result = new PublishResult(Outcome.NACKED, "NACK: the broker refused it; is a queue full?");
  }

  void unknown(String cause) {
    result = new PublishResult(Outcome.UNKNOWN, cause);
  }

  /** Tells the waiting side. Not under the lock: whatever hangs on the future runs here. */
  void complete() {
    future.complete(Objects.requireNonNull(result, "result"));
  }
}
