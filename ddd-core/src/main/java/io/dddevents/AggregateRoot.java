// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import org.jspecify.annotations.Nullable;

/**
 * Base class of aggregates. It adds no column, no annotation and no state to a mapping; its one
 * field is {@code transient}.
 *
 * <pre>{@code
 * @Entity
 * public class Order extends AggregateRoot {
 *   public void place() {
 *     status = PLACED;
 *     raise(new OrderPlaced(id, total()));
 *   }
 * }
 * }</pre>
 *
 * <p>What is raised stands in the outbox when the transaction that writes this aggregate commits,
 * and nowhere if it does not.
 */
public abstract class AggregateRoot implements RaisesEvents {

  // Lazy: most loaded aggregates raise nothing, and Hibernate makes them by the thousand.
  private transient @Nullable PendingEvents pendingEvents;

  /** For subclasses. */
  protected AggregateRoot() {}

  /**
   * Records that something has happened.
   *
   * <p>Not final, on purpose: called on a lazy proxy, also from a final method, it must reach the
   * aggregate behind the proxy. Do not override it.
   */
  protected void raise(DomainEvent event) {
    pendingEvents().raise(event);
  }

  /** Records that something has happened, with a dedupe key, headers, a time or an id. */
  protected void raise(DomainEvent event, EventOptions options) {
    pendingEvents().raise(event, options);
  }

  /** The events that are not captured yet. For capture and for tests. */
  @Override
  public PendingEvents pendingEvents() {
    PendingEvents pending = pendingEvents;
    if (pending == null) {
      pending = new PendingEvents();
      pendingEvents = pending;
    }
    return pending;
  }

  @Override
  public boolean hasPendingEvents() {
    PendingEvents pending = pendingEvents;
    return pending != null && !pending.isEmpty();
  }
}
