// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static java.time.temporal.ChronoUnit.MICROS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AggregateRootTest {

  record Renamed(String name) implements DomainEvent {}

  static class Order extends AggregateRoot {
    final void rename(String name) {
      raise(new Renamed(name));
    }

    void rename(String name, EventOptions options) {
      raise(new Renamed(name), options);
    }
  }

  /** What a lazy proxy does: every method that can be overridden goes to the target. */
  static final class OrderProxy extends Order {
    private final Order target;

    OrderProxy(Order target) {
      this.target = target;
    }

    @Override
    protected void raise(DomainEvent event) {
      target.raise(event);
    }

    @Override
    public PendingEvents pendingEvents() {
      return target.pendingEvents();
    }

    @Override
    public boolean hasPendingEvents() {
      return target.hasPendingEvents();
    }
  }

  static class CompanyEntity {}

  static final class Account extends CompanyEntity implements RaisesEvents {
    private final transient PendingEvents events = new PendingEvents();

    @Override
    public PendingEvents pendingEvents() {
      return events;
    }

    void rename(String name) {
      pendingEvents().raise(new Renamed(name));
    }
  }

  private final Order order = new Order();

  @Test
  void eventsStandInRaiseOrderAcrossAggregates() {
    Account account = new Account();
    order.rename("a");
    account.rename("b");
    order.rename("c");
    assertThat(names(order)).containsExactly("a", "c");
    long first = order.pendingEvents().list().get(0).order();
    long second = account.pendingEvents().list().get(0).order();
    long third = order.pendingEvents().list().get(1).order();
    assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void everyEventHasAnIdAndATimeInMicroseconds() {
    order.rename("a");
    order.rename("b");
    List<RaisedEvent> raised = order.pendingEvents().list();
    assertThat(raised.get(0).id()).isLessThan(raised.get(1).id());
    assertThat(raised)
        .allMatch(event -> event.occurredAt().truncatedTo(MICROS).equals(event.occurredAt()));
    assertThat(raised).allMatch(event -> event.dedupeKey() == null);
  }

  @Test
  void optionsAreTaken() {
    UUID id = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    EventOptions options =
        EventOptions.defaults()
            .id(id)
            .occurredAt(Instant.parse("2026-01-05T00:00:00.123456789Z"))
            .dedupeKey("k")
            .header("a", "1")
            .header("b", "2")
            .header("a", "3");
    order.rename("a", options);
    RaisedEvent raised = order.pendingEvents().list().get(0);
    assertThat(raised.id()).isEqualTo(id);
    assertThat(raised.occurredAt()).isEqualTo("2026-01-05T00:00:00.123456Z");
    assertThat(raised.dedupeKey()).isEqualTo("k");
    assertThat(raised.context().headers()).hasSize(2).containsEntry("a", "3");
  }

  @Test
  void drainTakesAllOut() {
    order.rename("a");
    order.rename("b");
    List<RaisedEvent> drained = order.pendingEvents().drain();
    assertThat(drained)
        .extracting(RaisedEvent::event)
        .containsExactly(new Renamed("a"), new Renamed("b"));
    assertThat(order.hasPendingEvents()).isFalse();
    assertThat(order.pendingEvents().drain()).isEmpty();
  }

  @Test
  void restorePutsDrainedEventsInFrontAsTheyWere() {
    order.rename("a");
    order.rename("b");
    List<RaisedEvent> drained = order.pendingEvents().drain();
    order.rename("c");
    order.pendingEvents().restore(drained);
    assertThat(names(order)).containsExactly("a", "b", "c");
    assertThat(order.pendingEvents().list().subList(0, 2)).isEqualTo(drained);
  }

  @Test
  void theListOfPendingEventsCannotBeChanged() {
    order.rename("a");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> order.pendingEvents().list().clear());
  }

  @Test
  void anEventRaisedOnAProxyReachesTheAggregateBehindIt() {
    OrderProxy proxy = new OrderProxy(order);
    proxy.rename("a");
    assertThat(names(order)).containsExactly("a");
    assertThat(proxy.hasPendingEvents()).isTrue();
    assertThat(field(proxy)).isNull();
  }

  @Test
  void anAggregateThatRaisesNothingAllocatesNothing() {
    assertThat(order.hasPendingEvents()).isFalse();
    assertThat(field(order)).isNull();
    order.rename("a");
    assertThat(field(order)).isSameAs(order.pendingEvents());
  }

  @Test
  void theOneFieldIsTransientAndNothingCarriesAnAnnotationOfAMapping() {
    assertThat(AggregateRoot.class.getDeclaredFields())
        .filteredOn(field -> !field.isSynthetic())
        .singleElement()
        .matches(field -> Modifier.isTransient(field.getModifiers()));
    assertThat(AggregateRoot.class.getAnnotations()).isEmpty();
  }

  @Test
  void aClassThatCannotExtendItDelegates() {
    Account account = new Account();
    assertThat(account.hasPendingEvents()).isFalse();
    account.rename("a");
    assertThat(account.hasPendingEvents()).isTrue();
    assertThat(names(account)).containsExactly("a");
  }

  private static List<String> names(RaisesEvents aggregate) {
    return aggregate.pendingEvents().list().stream()
        .map(raised -> ((Renamed) raised.event()).name())
        .toList();
  }

  private static @Nullable Object field(AggregateRoot aggregate) {
    try {
      Field field = AggregateRoot.class.getDeclaredField("pendingEvents");
      field.setAccessible(true);
      return field.get(aggregate);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
