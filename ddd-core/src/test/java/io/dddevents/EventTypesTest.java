// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dddevents.UnreadableEventException.Reason;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventTypesTest {

  @EventType(
      value = "order.placed",
      aliases = {"order.created", "com.acme.OrderCreated"})
  record OrderPlaced() implements DomainEvent {}

  @EventType(value = "order.placed", version = 2, aliases = "order.created")
  record OrderPlacedV2() implements DomainEvent {}

  @EventType("order.placed")
  record AnotherOrderPlaced() implements DomainEvent {}

  @EventType("order.created")
  record OrderCreated() implements DomainEvent {}

  @EventType(value = "invoice.sent", aliases = "order.created")
  record InvoiceSent() implements DomainEvent {}

  @EventType(value = "own.name", aliases = "own.name")
  record OwnAlias() implements DomainEvent {}

  @EventType(value = "bad.alias", aliases = "a..b")
  record BadAlias() implements DomainEvent {}

  @EventType("order placed")
  record BadName() implements DomainEvent {}

  @EventType(value = "order.placed", version = 0)
  record BadVersion() implements DomainEvent {}

  record Plain() implements DomainEvent {}

  @Test
  void aClassIsNamedByItsAnnotation() {
    assertThat(EventTypes.open().nameOf(OrderPlacedV2.class))
        .isEqualTo(new WireName("order.placed", 2));
  }

  @Test
  void aClassWithoutAnnotationIsNamedByItsClassName() {
    assertThat(EventTypes.open().nameOf(TopLevel.class))
        .isEqualTo(new WireName("io.dddevents.TopLevel", 1));
    assertThat(EventTypes.open().nameOf(Plain.class))
        .isEqualTo(new WireName("io.dddevents.EventTypesTest$Plain", 1));
  }

  @Test
  void aNameOfAnAnnotationIsNotInherited() {
    assertThat(EventTypes.open().nameOf(Derived.class).name())
        .isEqualTo("io.dddevents.EventTypesTest$Derived");
  }

  @Test
  void aWrongNameIsToldWithTheClassThatHasIt() {
    refused(() -> EventTypes.open().nameOf(BadName.class), BadName.class, "@EventType", "5");
    refused(() -> EventTypes.of(BadVersion.class), BadVersion.class, "version 0");
    refused(() -> EventTypes.of(BadAlias.class), BadAlias.class, "alias", "a..b");
  }

  @Test
  void twoClassesOfOneNameAreBothNamedAtStart() {
    refused(
        () -> EventTypes.of(OrderPlaced.class, AnotherOrderPlaced.class),
        OrderPlaced.class,
        AnotherOrderPlaced.class.getName(),
        "'order.placed v1'");
  }

  @Test
  void twoClassesOfOneNameAreBothNamedWhenTheSecondIsRaised() {
    EventTypes types = EventTypes.open();
    types.nameOf(OrderPlaced.class);
    for (int i = 0; i < 2; i++) {
      refused(
          () -> types.nameOf(AnotherOrderPlaced.class),
          AnotherOrderPlaced.class,
          OrderPlaced.class.getName());
    }
    assertThat(types.nameOf(OrderPlaced.class).name()).isEqualTo("order.placed");
  }

  @Test
  void aRaisedClassMustNotTakeTheNameOfARegisteredOne() {
    EventTypes types = EventTypes.of(OrderPlaced.class);
    refused(
        () -> types.nameOf(AnotherOrderPlaced.class),
        AnotherOrderPlaced.class,
        OrderPlaced.class.getName());
  }

  @Test
  void oneClassMayBeGivenTwice() {
    assertThat(EventTypes.of(OrderPlaced.class, OrderPlaced.class).registered()).hasSize(1);
  }

  @Test
  void versionsOfOneEventShareNameAndAlias() {
    EventTypes types = EventTypes.of(OrderPlaced.class, OrderPlacedV2.class);
    assertThat(types.classOf(new WireName("order.created", 1))).isEqualTo(OrderPlaced.class);
    assertThat(types.classOf(new WireName("order.created", 2))).isEqualTo(OrderPlacedV2.class);
    assertThat(types.currentName("com.acme.OrderCreated")).isEqualTo("order.placed");
    assertThat(types.currentName("unheard.of")).isEqualTo("unheard.of");
  }

  @Test
  void anAliasMustNotBeTheNameOfAnotherEvent() {
    refused(
        () -> EventTypes.of(OrderPlaced.class, OrderCreated.class),
        OrderPlaced.class,
        "'order.created'");
    refused(() -> EventTypes.of(OwnAlias.class), OwnAlias.class, "'own.name'");
  }

  @Test
  void anAliasBelongsToOneEvent() {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> EventTypes.of(OrderPlaced.class, InvoiceSent.class))
        .withMessageContaining("'order.created'")
        .withMessageMatching(".*'(order\\.placed|invoice\\.sent)'.*");
  }

  @Test
  void aRaisedClassMustNotTakeAnAlias() {
    EventTypes types = EventTypes.of(OrderPlaced.class);
    refused(
        () -> types.nameOf(OrderCreated.class),
        OrderCreated.class,
        "'order.created'",
        "'order.placed'");
  }

  @Test
  void onlyNamesNothingElse() {
    EventTypes types = EventTypes.only(List.of(OrderPlaced.class));
    assertThat(types.nameOf(OrderPlaced.class)).isEqualTo(new WireName("order.placed", 1));
    refused(() -> types.nameOf(Plain.class), Plain.class, "EventTypes.only", "order.placed v1");
  }

  @Test
  void openReadsNothing() {
    EventTypes types = EventTypes.open();
    WireName name = types.nameOf(Plain.class);
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> types.classOf(name))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_TYPE));
    assertThat(types.registered()).isEmpty();
  }

  @Test
  void oneOfTwoClassesWinsWhenThreadsRaiseThemTogether() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 200; round++) {
        EventTypes types = EventTypes.open();
        List<Callable<Boolean>> work =
            IntStream.range(0, 4)
                .<Callable<Boolean>>mapToObj(
                    i ->
                        () ->
                            named(types, i % 2 == 0 ? OrderPlaced.class : AnotherOrderPlaced.class))
                .toList();
        int named = 0;
        for (Future<Boolean> result : threads.invokeAll(work)) {
          named += result.get() ? 1 : 0;
        }
        assertThat(named).isEqualTo(2);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean named(EventTypes types, Class<? extends DomainEvent> type) {
    try {
      types.nameOf(type);
      return true;
    } catch (EventRefusedException e) {
      return false;
    }
  }

  private static void refused(Runnable attempt, Class<?> type, String... named) {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(attempt::run)
        .withMessageContaining(type.getName())
        .withMessageContainingAll(named);
  }

  @EventType("base.happened")
  static class Base implements DomainEvent {}

  static final class Derived extends Base {}
}

record TopLevel() implements DomainEvent {}
