// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testkit;

import io.dddevents.RaisesEvents;

/**
 * Where assertions on raised events begin. Works with every test framework, because a failure is an
 * {@link AssertionError}.
 *
 * <pre>{@code
 * Order order = new Order(id);
 * order.place(clock);
 *
 * assertThat(order)
 *     .raised(OrderPlaced.class)
 *     .satisfying(placed -> assertEquals(id, placed.orderId()))
 *     .withDedupeKey("order-" + id)
 *     .and()
 *     .didNotRaise(OrderCancelled.class);
 * }</pre>
 *
 * <p>Events stay on the aggregate: an assertion reads and never drains. Once a transaction was
 * flushed they are captured and no longer there.
 */
public final class EventAssertions {

  private EventAssertions() {}

  /** Assertions on the events that the aggregate has raised and that are not captured yet. */
  public static RaisedEventsAssert assertThat(RaisesEvents aggregate) {
    return new RaisedEventsAssert(aggregate);
  }
}
