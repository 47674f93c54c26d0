// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * An aggregate whose events are captured. Extend {@link AggregateRoot} where you can; a class that
 * has another super class implements this interface and delegates:
 *
 * <pre>{@code
 * @Entity
 * class Order extends CompanyEntity implements RaisesEvents {
 *   private final transient PendingEvents events = new PendingEvents();
 *
 *   @Override
 *   public PendingEvents pendingEvents() {
 *     return events;
 *   }
 *
 *   public void place() {
 *     pendingEvents().raise(new OrderPlaced(id));
 *   }
 * }
 * }</pre>
 *
 * <p>Call {@code pendingEvents()} rather than the field, and leave the method non-final: on a lazy
 * proxy the field is the proxy's own and nobody reads it.
 */
public interface RaisesEvents {

  /** The events that are not captured yet; always the same object for the same aggregate. */
  PendingEvents pendingEvents();

  /** Whether there are any; asked for every loaded aggregate at every flush. */
  default boolean hasPendingEvents() {
    return !pendingEvents().isEmpty();
  }
}
