// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.concurrent.CompletableFuture;

/**
 * Brings events to a broker. The relay hands over envelopes in order and keeps each in the outbox
 * until its result is {@link PublishResult.Outcome#CONFIRMED}.
 *
 * <p>Implementations are asynchronous: {@link #publish} may block only while the window of
 * unconfirmed events is full, and envelopes handed over by one thread go out in that order. They
 * are safe for many threads.
 */
public interface EventPublisher extends AutoCloseable {

  /**
   * Sends one event. The future always completes normally, with exactly one result, within the
   * publisher's confirm timeout; it never fails and is never left open. After any result but {@link
   * PublishResult.Outcome#CONFIRMED} the event may still arrive, so a consumer must expect it
   * twice.
   */
  CompletableFuture<PublishResult> publish(Publication publication);

  /** Waits briefly for open confirms, then releases everything; open results become unknown. */
  @Override
  void close();
}
