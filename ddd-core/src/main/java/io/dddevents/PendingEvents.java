// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events that an aggregate has raised and that are not captured yet. {@link AggregateRoot} has
 * one; a class that cannot extend it keeps one in a {@code transient} field, see {@link
 * RaisesEvents}.
 *
 * <p>Not safe for many threads, as little as the aggregate it belongs to.
 */
public final class PendingEvents {

  private final ArrayList<RaisedEvent> raised = new ArrayList<>(2);

  /** Without events. */
  public PendingEvents() {}

  /** Adds the event with {@link EventOptions#defaults()}. */
  public void raise(DomainEvent event) {
    raise(event, EventOptions.defaults());
  }

  /** Adds the event. */
  public void raise(DomainEvent event, EventOptions options) {
    raised.add(RaisedEvent.of(event, options));
  }

  /** Whether nothing is pending. */
  public boolean isEmpty() {
    return raised.isEmpty();
  }

  /** What is pending, in raise order; a view that cannot be changed. */
  public List<RaisedEvent> list() {
    return Collections.unmodifiableList(raised);
  }

  /** Takes all events out. For capture; an application that calls it loses its events. */
  public List<RaisedEvent> drain() {
    List<RaisedEvent> drained = List.copyOf(raised);
    raised.clear();
    return drained;
  }

  /** Puts drained events back in front of those raised since. For capture, after a rollback. */
  public void restore(List<RaisedEvent> drained) {
    raised.addAll(0, drained);
  }
}
