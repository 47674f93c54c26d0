// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testkit;

import io.dddevents.DomainEvent;
import io.dddevents.RaisedEvent;
import io.dddevents.RaisesEvents;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an aggregate has raised so far, in raise order. Every method either returns or throws an
 * {@link AssertionError} that lists what was raised.
 */
public final class RaisedEventsAssert {

  private final List<RaisedEvent> raised;
  private final String description;

  RaisedEventsAssert(RaisesEvents aggregate) {
    // A copy: what is raised later is not what this assertion was asked about.
    this.raised = List.copyOf(aggregate.pendingEvents().list());
    this.description = aggregate.getClass().getSimpleName() + " raised " + listing();
  }

  /** Exactly one event of the class was raised, or of a class below it. */
  public <E extends DomainEvent> RaisedEventAssert<E> raised(Class<E> type) {
    List<RaisedEvent> found = of(type);
    if (found.size() != 1) {
      throw failure("exactly one " + type.getSimpleName(), found.size() + " of them");
    }
    return new RaisedEventAssert<>(this, found.get(0), type.cast(found.get(0).event()));
  }

  /** Exactly one event that equals the given one was raised; others of its class may be too. */
  public <E extends DomainEvent> RaisedEventAssert<E> raised(E event) {
    Objects.requireNonNull(event, "event");
    List<RaisedEvent> found =
        raised.stream().filter(candidate -> candidate.event().equals(event)).toList();
    if (found.size() != 1) {
      throw failure("exactly one equal to " + event, found.size() + " of them");
    }
    return new RaisedEventAssert<>(this, found.get(0), event);
  }

  /** Events of exactly these classes were raised, in this order, and no others. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public final RaisedEventsAssert raisedExactly(Class<? extends DomainEvent>... types) {
    List<Class<?>> expected = List.of(types);
    List<Class<?>> actual =
        raised.stream().<Class<?>>map(event -> event.event().getClass()).toList();
    if (!actual.equals(expected)) {
      throw failure("exactly " + names(expected.stream()), names(actual.stream()));
    }
    return this;
  }

  /** Nothing was raised. */
  public RaisedEventsAssert raisedNothing() {
    if (!raised.isEmpty()) {
      throw failure("no event", raised.size() + " of them");
    }
    return this;
  }

  /** No event of the class was raised, and none of a class below it. */
  public RaisedEventsAssert didNotRaise(Class<? extends DomainEvent> type) {
    List<RaisedEvent> found = of(type);
    if (!found.isEmpty()) {
      throw failure("no " + type.getSimpleName(), found.size() + " of them");
    }
    return this;
  }

  AssertionError failure(String expected, String actual) {
    return new AssertionError(
        "expected " + expected + ", but found " + actual + "; " + description);
  }

  private List<RaisedEvent> of(Class<? extends DomainEvent> type) {
    return raised.stream().filter(candidate -> type.isInstance(candidate.event())).toList();
  }

  private String listing() {
    if (raised.isEmpty()) {
      return "nothing";
    }
    return raised.stream()
        .map(event -> "\n  " + event.event())
        .collect(Collectors.joining("", raised.size() + ":", ""));
  }

  private static String names(Stream<Class<?>> types) {
    return types.map(Class::getSimpleName).collect(Collectors.joining(", ", "[", "]"));
  }
}
