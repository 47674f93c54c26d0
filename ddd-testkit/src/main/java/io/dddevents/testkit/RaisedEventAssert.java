// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testkit;

import io.dddevents.DomainEvent;
import io.dddevents.RaisedEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One raised event and what was said about it when it was raised.
 *
 * @param <E> the event class
 */
public final class RaisedEventAssert<E extends DomainEvent> {

  private final RaisedEventsAssert all;
  private final RaisedEvent raised;
  private final E event;

  RaisedEventAssert(RaisedEventsAssert all, RaisedEvent raised, E event) {
    this.all = all;
    this.raised = raised;
    this.event = event;
  }

  /** The event passes the given assertions, of whatever library; their failure is the failure. */
  public RaisedEventAssert<E> satisfying(Consumer<? super E> assertions) {
    assertions.accept(event);
    return this;
  }

  /** The event was raised with the dedupe key. */
  public RaisedEventAssert<E> withDedupeKey(String dedupeKey) {
    if (!dedupeKey.equals(raised.dedupeKey())) {
      throw all.failure(
          name() + " with dedupe key '" + dedupeKey + "'", quoted(raised.dedupeKey()));
    }
    return this;
  }

  /** The event was raised without a dedupe key. */
  public RaisedEventAssert<E> withoutDedupeKey() {
    if (raised.dedupeKey() != null) {
      throw all.failure(name() + " without dedupe key", quoted(raised.dedupeKey()));
    }
    return this;
  }

  /** The event has the header, from its options or from the context in which it was raised. */
  public RaisedEventAssert<E> withHeader(String name, String value) {
    String actual = raised.context().headers().get(name);
    if (!value.equals(actual)) {
      throw all.failure(
          name() + " with header '" + name + "' = '" + value + "'",
          quoted(actual) + " among the headers " + raised.context().headers().keySet());
    }
    return this;
  }

  /** Back to all events of the aggregate. */
  public RaisedEventsAssert and() {
    return all;
  }

  private String name() {
    return event.getClass().getSimpleName();
  }

  private static String quoted(@Nullable String value) {
    return value == null ? "none" : "'" + value + "'";
  }
}
