// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonValue;
import io.dddevents.Canary;
import io.dddevents.DomainEvent;
import io.dddevents.EventEnvelope;
import io.dddevents.EventIds;
import io.dddevents.EventOptions;
import io.dddevents.EventRefusedException;
import io.dddevents.EventType;
import io.dddevents.EventTypes;
import io.dddevents.UnreadableEventException;
import io.dddevents.UnreadableEventException.Reason;
import io.dddevents.Wire;
import io.dddevents.WireName;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JacksonEventSerializerTest {

  record Money(BigDecimal amount, String currency) {}

  enum Channel {
    WEB_SHOP,
    PHONE;

    @Override
    public String toString() {
      return "by " + name();
    }
  }

  @EventType("order.placed")
  record OrderPlaced(
      UUID orderId,
      Money grossTotal,
      Channel channel,
      Instant placedAt,
      LocalDate dueOn,
      Duration patience,
      Optional<String> couponCode,
      List<Integer> lineNumbers)
      implements DomainEvent {}

  record Counted(int number) implements DomainEvent {
    Counted {
      if (number < 0) {
        throw new IllegalArgumentException("number must not be negative, was " + number);
      }
    }
  }

  record Faulty(String name) implements DomainEvent {
    @Override
    public String name() {
      throw new IllegalStateException("accessor is broken");
    }
  }

  record Scalar(@JsonValue String text) implements DomainEvent {}

  record Owner(Map<String, Instant> times) implements DomainEvent {}

  static final class Open implements DomainEvent {
    final List<String> names = new ArrayList<>();

    @JsonAnySetter
    void set(String name, Integer value) {
      names.add(name + value);
    }
  }

  private static final OrderPlaced PLACED =
      new OrderPlaced(
          UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
          new Money(new BigDecimal("12.50"), "EUR"),
          Channel.WEB_SHOP,
          Instant.parse("2026-01-05T10:15:30.123456Z"),
          LocalDate.of(2026, 2, 1),
          Duration.ofMinutes(90),
          Optional.of("X1"),
          List.of(1, 2));

  private final Wire wire =
      Wire.of(OrderPlaced.class, Counted.class, Scalar.class, Owner.class, Open.class);

  @Test
  void anEventIsWrittenInCamelCaseWithIsoTimesAndValueObjectsInDeclarationOrder() {
    assertThat(wire.write(PLACED))
        .isEqualTo(
            """
            {"orderId":"123e4567-e89b-12d3-a456-426614174000",\
            "grossTotal":{"amount":12.50,"currency":"EUR"},\
            "channel":"WEB_SHOP",\
            "placedAt":"2026-01-05T10:15:30.123456Z",\
            "dueOn":"2026-02-01",\
            "patience":"PT1H30M",\
            "couponCode":"X1",\
            "lineNumbers":[1,2]}""");
  }

  @Test
  void whatIsWrittenIsReadBackEqual() {
    assertThat(wire.roundTrip(PLACED)).isEqualTo(PLACED);
    assertThat(wire.roundTrip(new Scalar("a"))).isEqualTo(new Scalar("a"));
  }

  @Test
  void unknownPropertiesAreIgnored() {
    assertThat(wire.read(Counted.class, "{\"new\":{\"@class\":\"x\"},\"number\":3}"))
        .isEqualTo(new Counted(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/vnd.shop+json"
      })
  void jsonIsReadUnderAnyOfItsNames(String contentType) {
    assertThat(read(contentType)).isEqualTo(new Counted(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/x-java-serialized-object", "text/plain", "application/jsonx", "json"})
  void anotherContentTypeIsRefused(String contentType) {
    assertUnreadable(Reason.CONTENT_TYPE, catchThrowable(() -> read(contentType)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "placedAt   | 'S3CRET-CANARY'  | no value of java.time.Instant at placedAt",
        "orderId    | 'S3CRET-CANARY'  | no value of java.util.UUID at orderId",
        "channel    | 'S3CRET-CANARY'  | at channel",
        "channel    | 'by PHONE'       | at channel",
        "grossTotal | 'S3CRET-CANARY'  | at grossTotal",
        "dueOn      | 'S3CRET-CANARY'  | no value of java.time.LocalDate at dueOn",
        "patience   | 'S3CRET-CANARY'  | no value of java.time.Duration at patience",
        "lineNumbers| ['S3CRET-CANARY']| no value of java.lang.Integer at lineNumbers[0]",
      },
      quoteCharacter = '~')
  void aValueThatDoesNotFitIsNamedByItsPlaceAndNotQuoted(String field, String value, String told) {
    String json = "{\"" + field + "\":" + value.replace('\'', '"') + "}";
    Throwable thrown = catchThrowable(() -> wire.read(OrderPlaced.class, json));
    assertUnreadable(Reason.BAD_PAYLOAD, thrown);
    assertThat(thrown).hasMessageContainingAll("order.placed v1", told).hasNoCause();
  }

  @Test
  void theKeyOfAMapIsContentToo() {
    String json = "{\"times\":{\"" + Canary.TEXT + "\":\"never\"}}";
    Throwable thrown = catchThrowable(() -> wire.read(Owner.class, json));
    assertUnreadable(Reason.BAD_PAYLOAD, thrown);
    assertThat(thrown).hasMessageContaining("times[key]");
    String any = "{\"" + Canary.TEXT + "\":\"x\"}";
    assertUnreadable(Reason.BAD_PAYLOAD, catchThrowable(() -> wire.read(Open.class, any)));
  }

  @Test
  void anExceptionOfAnAccessorIsTheCause() {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> wire.write(new Faulty("x")))
        .withMessageContainingAll("Faulty v1", "java.lang.IllegalStateException", "at name")
        .havingCause()
        .isExactlyInstanceOf(IllegalStateException.class)
        .withMessage("accessor is broken");
  }

  @Test
  void anExceptionOfAConstructorIsTheCause() {
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> wire.read(Counted.class, "{\"number\":-1}"))
        .withMessageContaining("java.lang.IllegalArgumentException")
        .havingCause()
        .withMessage("number must not be negative, was -1");
  }

  @Test
  void document002IsWrittenToTheLetterWithMetadataInTheBody() {
    Wire family = Wire.of(metadata(), FamilyMemberInvited.class);
    EventOptions options =
        EventOptions.defaults()
            .id(UUID.fromString("550e8400-e29b-41d4-a716-446655440000"))
            .occurredAt(Instant.parse("2026-01-05T00:00:00Z"));
    assertThat(family.write(FamilyMemberInvited.EXAMPLE, options))
        .isEqualTo(FamilyMemberInvited.EXAMPLE_JSON.replaceAll("\\s", ""));
  }

  @Test
  void metadataInTheBodyChangesNothingElse() {
    Wire with = Wire.of(metadata(), OrderPlaced.class);
    assertThat(with.write(PLACED))
        .startsWith("{\"eventId\":\"")
        .endsWith(",\"eventVersion\":1," + wire.write(PLACED).substring(1));
    assertThat(with.roundTrip(PLACED)).isEqualTo(PLACED);
    assertThat(wire.read(OrderPlaced.class, with.write(PLACED))).isEqualTo(PLACED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eventId", "occurredOn", "eventVersion"})
  void aPropertyWithTheNameOfMetadataIsRefusedInTheOutermostObjectOnly(String name) {
    record Own(@JsonAnyGetter Map<String, Object> all) implements DomainEvent {}
    Wire with = Wire.of(metadata(), Own.class);
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> with.write(new Own(Map.of(name, Canary.TEXT))))
        .withMessageContainingAll("'" + name + "'", "rename it")
        .satisfies(Canary::assertHiddenIn);
    assertThat(with.write(new Own(Map.of("in", Map.of(name, 1))))).contains("{\"" + name + "\":1}");
    assertThat(wire.write(new Own(Map.of(name, 1)))).isEqualTo("{\"" + name + "\":1}");
  }

  @Test
  void metadataNeedsAnObjectToStandIn() {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> Wire.of(metadata(), Scalar.class).write(new Scalar(Canary.TEXT)))
        .withMessageContaining("not an object")
        .satisfies(Canary::assertHiddenIn);
  }

  @Test
  void theLimitHoldsWithMetadataToo() {
    Wire with = Wire.of(metadata().maxPayloadBytes(150), OrderPlaced.class);
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> with.write(PLACED))
        .withMessageContainingAll("at most 150", "order.placed v1");
  }

  private static JacksonEventSerializer.Builder metadata() {
    return JacksonEventSerializer.builder().metadataInBody(true);
  }

  private static DomainEvent read(String contentType) {
    return JacksonEventSerializer.builder()
        .types(EventTypes.of(Counted.class))
        .build()
        .deserialize(
            EventEnvelope.builder(EventIds.next(), new WireName(Counted.class.getName(), 1))
                .occurredAt(Instant.EPOCH)
                .payload(contentType, "{\"number\":3}".getBytes(UTF_8))
                .build());
  }

  private static void assertUnreadable(Reason reason, Throwable thrown) {
    assertThat(thrown).isInstanceOf(UnreadableEventException.class);
    assertThat(((UnreadableEventException) thrown).reason()).isEqualTo(reason);
    Canary.assertHiddenIn(thrown);
  }
}
