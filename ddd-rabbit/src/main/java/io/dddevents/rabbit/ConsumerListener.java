// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.EventEnvelope;

/**
 * Told what a consumer does, for metrics and alarms. Called on the consumer's own threads: be
 * quick. What it throws is logged and otherwise ignored.
 */
public interface ConsumerListener {

  /** The event was handled and its transaction is committed. */
  default void handled(EventEnvelope envelope) {}

  /** The event was handled before; it was dropped. */
  default void duplicate(EventEnvelope envelope) {}

  /**
   * An attempt failed and will be repeated, or was the last one.
   *
   * @param attempt counted from 1
   */
  default void attemptFailed(EventEnvelope envelope, int attempt, Throwable error) {}

  /**
   * A message stands in the parking queue now. {@link ParkReason#ID_CONFLICT} is an alarm: somebody
   * publishes different events under one id.
   */
  default void parked(ParkedMessage message) {}

  /** The database does not answer; nothing is handled until it does. */
  default void paused(Throwable cause) {}

  /** The database answers again. */
  default void resumed() {}

  /** The broker cannot be reached or does not let us consume; it is tried again. */
  default void disconnected(Throwable cause) {}
}
