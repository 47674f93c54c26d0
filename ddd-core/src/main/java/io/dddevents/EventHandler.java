// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * Applies events of one class on the consumer side. It runs inside a transaction together with the
 * inbox: its database effects happen once per consumer, however often the message is delivered.
 * Effects outside of that transaction may repeat.
 *
 * @param <E> the event class
 */
@FunctionalInterface
public interface EventHandler<E extends DomainEvent> {

  /**
   * Applies the event. Any exception rolls the transaction back; the delivery is tried again and
   * finally parked.
   */
  void handle(E event, EventEnvelope envelope) throws Exception;
}
