// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testkit;

import static io.dddevents.testkit.EventAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dddevents.AggregateRoot;
import io.dddevents.DomainEvent;
import io.dddevents.EventContext;
import io.dddevents.EventOptions;
import io.dddevents.PendingEvents;
import io.dddevents.RaisesEvents;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EventAssertionsTest {

  interface OrderEvent extends DomainEvent {}

  record OrderPlaced(String id) implements OrderEvent {}

  record LineAdded(int number) implements OrderEvent {}

  record OrderCancelled() implements OrderEvent {}

  static final class Order extends AggregateRoot {
    void place() {
      EventOptions options = EventOptions.defaults().dedupeKey("order-7").header("channel", "web");
      raise(new OrderPlaced("7"), options);
    }

    void addLine(int number) {
      raise(new LineAdded(number));
    }
  }

  static final class Account implements RaisesEvents {
    private final PendingEvents events = new PendingEvents();

    @Override
    public PendingEvents pendingEvents() {
      return events;
    }
  }

  private final Order order = new Order();

  @Test
  void aRaisedEventIsFoundByItsClassAndLookedInto() {
    order.place();
    order.addLine(1);
    assertThat(order)
        .raised(OrderPlaced.class)
        .satisfying(placed -> assertEquals("7", placed.id()))
        .withDedupeKey("order-7")
        .withHeader("channel", "web")
        .and()
        .raised(LineAdded.class)
        .withoutDedupeKey()
        .and()
        .raisedExactly(OrderPlaced.class, LineAdded.class)
        .didNotRaise(OrderCancelled.class);
  }

  @Test
  void anAssertionLeavesTheEventsWhereTheyAre() {
    order.place();
    assertThat(order).raised(OrderPlaced.class);
    assertThat(order).raised(OrderPlaced.class);
  }

  @Test
  void anEventThatWasNotRaisedFailsWithWhatWas() {
    order.place();
    fails(
        () -> assertThat(order).raised(LineAdded.class),
        """
        expected exactly one LineAdded, but found 0 of them; Order raised 1:
          OrderPlaced[id=7]""");
  }

  @Test
  void anEventThatWasRaisedTwiceIsNotExactlyOne() {
    order.addLine(1);
    order.addLine(2);
    fails(
        () -> assertThat(order).raised(LineAdded.class),
        """
        expected exactly one LineAdded, but found 2 of them; Order raised 2:
          LineAdded[number=1]
          LineAdded[number=2]""");
  }

  @Test
  void anInterfaceStandsForTheEventsBelowIt() {
    order.place();
    assertThat(order).raised(OrderEvent.class).withDedupeKey("order-7");
    fails(
        () -> assertThat(order).didNotRaise(OrderEvent.class),
        """
        expected no OrderEvent, but found 1 of them; Order raised 1:
          OrderPlaced[id=7]""");
  }

  @Test
  void anEqualEventIsFoundAmongOthersOfItsClass() {
    order.addLine(1);
    order.addLine(2);
    assertThat(order).raised(new LineAdded(2)).and().raised(new LineAdded(1));
    fails(
        () -> assertThat(order).raised(new LineAdded(3)),
        """
        expected exactly one equal to LineAdded[number=3], but found 0 of them; Order raised 2:
          LineAdded[number=1]
          LineAdded[number=2]""");
  }

  @Test
  void theSameEventTwiceIsNotExactlyOne() {
    order.addLine(1);
    order.addLine(1);
    fails(
        () -> assertThat(order).raised(new LineAdded(1)),
        """
        expected exactly one equal to LineAdded[number=1], but found 2 of them; Order raised 2:
          LineAdded[number=1]
          LineAdded[number=1]""");
  }

  @Test
  void exactlyMeansTheseInThisOrder() {
    order.addLine(1);
    order.place();
    assertThat(order).raisedExactly(LineAdded.class, OrderPlaced.class);
    fails(
        () -> assertThat(order).raisedExactly(OrderPlaced.class, LineAdded.class),
        """
        expected exactly [OrderPlaced, LineAdded], but found [LineAdded, OrderPlaced]; \
        Order raised 2:
          LineAdded[number=1]
          OrderPlaced[id=7]""");
    fails(
        () -> assertThat(order).raisedExactly(LineAdded.class),
        """
        expected exactly [LineAdded], but found [LineAdded, OrderPlaced]; Order raised 2:
          LineAdded[number=1]
          OrderPlaced[id=7]""");
  }

  @Test
  void nothingMeansNothing() {
    assertThat(order).raisedNothing().raisedExactly().didNotRaise(OrderPlaced.class);
    fails(
        () -> assertThat(order).raised(OrderPlaced.class),
        "expected exactly one OrderPlaced, but found 0 of them; Order raised nothing");
    order.place();
    fails(
        () -> assertThat(order).raisedNothing(),
        """
        expected no event, but found 1 of them; Order raised 1:
          OrderPlaced[id=7]""");
  }

  @Test
  void aWrongDedupeKeyFailsWithTheRightOne() {
    order.place();
    order.addLine(1);
    fails(
        () -> assertThat(order).raised(OrderPlaced.class).withDedupeKey("order-8"),
        """
        expected OrderPlaced with dedupe key 'order-8', but found 'order-7'; Order raised 2:
          OrderPlaced[id=7]
          LineAdded[number=1]""");
    fails(
        () -> assertThat(order).raised(LineAdded.class).withDedupeKey("order-8"),
        """
        expected LineAdded with dedupe key 'order-8', but found none; Order raised 2:
          OrderPlaced[id=7]
          LineAdded[number=1]""");
    fails(
        () -> assertThat(order).raised(OrderPlaced.class).withoutDedupeKey(),
        """
        expected OrderPlaced without dedupe key, but found 'order-7'; Order raised 2:
          OrderPlaced[id=7]
          LineAdded[number=1]""");
  }

  @Test
  void aWrongHeaderFailsWithTheOnesThereAre() {
    order.place();
    fails(
        () -> assertThat(order).raised(OrderPlaced.class).withHeader("channel", "phone"),
        """
        expected OrderPlaced with header 'channel' = 'phone', but found 'web' among the headers \
        [channel]; Order raised 1:
          OrderPlaced[id=7]""");
    fails(
        () -> assertThat(order).raised(OrderPlaced.class).withHeader("shop", "north"),
        """
        expected OrderPlaced with header 'shop' = 'north', but found none among the headers \
        [channel]; Order raised 1:
          OrderPlaced[id=7]""");
  }

  @Test
  void aHeaderOfTheContextCountsToo() {
    EventContext.none().withHeaders(Map.of("shop", "north")).run(order::place);
    assertThat(order)
        .raised(OrderPlaced.class)
        .withHeader("shop", "north")
        .withHeader("channel", "web");
  }

  @Test
  void aFailureOfTheGivenAssertionsIsTheFailure() {
    order.place();
    AssertionError own = new AssertionError("own");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                assertThat(order)
                    .raised(OrderPlaced.class)
                    .satisfying(
                        placed -> {
                          throw own;
                        }))
        .isSameAs(own);
  }

  @Test
  void aClassThatOnlyImplementsTheInterfaceCanBeAskedToo() {
    Account account = new Account();
    account.pendingEvents().raise(new OrderCancelled());
    assertThat(account).raised(new OrderCancelled());
    fails(
        () -> assertThat(account).raisedNothing(),
        """
        expected no event, but found 1 of them; Account raised 1:
          OrderCancelled[]""");
  }

  private static void fails(Runnable assertion, String message) {
    assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion::run).withMessage(message);
  }
}
