// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.dddevents.Canary;
import io.dddevents.DomainEvent;
import io.dddevents.EventRefusedException;
import io.dddevents.UnreadableEventException;
import io.dddevents.Wire;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/** A payload chooses among the types that the event names, and never names one itself. */
final class PolymorphismTest {

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Card.class, name = "card"),
    @JsonSubTypes.Type(value = Invoice.class, name = "invoice")
  })
  sealed interface Payment permits Card, Invoice {}

  record Card(String last4) implements Payment {}

  record Invoice(int days) implements Payment {}

  record Paid(Payment payment, List<Payment> others) implements DomainEvent {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface ByClass {}

  record Named(String secret) implements ByClass {}

  record Classy(ByClass value) implements DomainEvent {}

  record Minimal(@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS) Object value)
      implements DomainEvent {}

  record Anything(Object value) implements DomainEvent {}

  static boolean trapSprung;

  record Trap() implements ByClass {
    static {
      trapSprung = true;
    }
  }

  private static final PolymorphicTypeValidator ALL =
      BasicPolymorphicTypeValidator.builder().allowIfSubType(Object.class).build();

  private final Wire wire = Wire.of(Paid.class, Classy.class, Minimal.class, Anything.class);

  @Test
  void aSealedTypeWithNamedSubtypesTravelsByName() {
    Paid paid = new Paid(new Card("4242"), List.of(new Invoice(30)));
    assertThat(wire.write(paid))
        .isEqualTo(
            "{\"payment\":{\"kind\":\"card\",\"last4\":\"4242\"},"
                + "\"others\":[{\"kind\":\"invoice\",\"days\":30}]}");
    assertThat(wire.roundTrip(paid)).isEqualTo(paid);
  }

  @Test
  void aNameThatIsNoSubtypeIsUnreadable() {
    String json = "{\"payment\":{\"kind\":\"" + Canary.TEXT + "\"}}";
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> wire.read(Paid.class, json))
        .withMessageContaining("at payment")
        .satisfies(Canary::assertHiddenIn);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.dddevents.jackson.PolymorphismTest$Trap",
        "java.lang.Runtime",
        "S3CRET-CANARY"
      })
  void aClassNameInAPayloadLoadsNoClass(String name) {
    String json = "{\"value\":{\"@class\":\"" + name + "\"}}";
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> wire.read(Classy.class, json))
        .satisfies(Canary::assertHiddenIn);
    assertThat(trapSprung).isFalse();
  }

  @Test
  void aClassNameIsNotWrittenEither() {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> wire.write(new Classy(new Named(Canary.TEXT))))
        .withMessageContainingAll("Id.NAME", "at value")
        .satisfies(Canary::assertHiddenIn);
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> wire.write(new Minimal(new Named(Canary.TEXT))))
        .withMessageContaining("Id.NAME");
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(
            () -> Wire.of(metadata(), Classy.class).write(new Classy(new Named(Canary.TEXT))))
        .withMessageContaining("Id.NAME");
  }

  @ParameterizedTest
  @MethodSource
  void aCustomizerCannotLoosenWhatIsStrict(Consumer<JsonMapper.Builder> customizer) {
    Wire custom =
        Wire.of(
            JacksonEventSerializer.builder().customize(customizer),
            Paid.class,
            Classy.class,
            Anything.class);
    assertThat(custom.write(new Anything(new Named("x"))))
        .isEqualTo("{\"value\":{\"secret\":\"x\"}}");
    for (String json :
        List.of(
            "{\"value\":1,\"value\":2}",
            "{'value':1}",
            "{\"value\":NaN}",
            "{\"value\":1} x",
            "{\"value\":" + "[".repeat(100) + "]".repeat(100) + "}",
            "{\"value\":" + "9".repeat(1001) + "}")) {
      assertThatExceptionOfType(UnreadableEventException.class)
          .isThrownBy(() -> custom.read(Anything.class, json));
    }
    String named = "{\"value\":{\"@class\":\"" + Named.class.getName() + "\"}}";
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> custom.read(Classy.class, named));
    assertThat(custom.read(Anything.class, "{\"value\":1,\"more\":2}")).isEqualTo(new Anything(1));
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> custom.write(new Anything(Double.NaN)));
  }

  static Stream<Consumer<JsonMapper.Builder>> aCustomizerCannotLoosenWhatIsStrict() {
    return Stream.of(
        builder -> {},
        builder -> builder.activateDefaultTyping(ALL, DefaultTyping.NON_FINAL),
        builder -> builder.polymorphicTypeValidator(ALL),
        builder -> builder.enable(JsonReadFeature.values()),
        builder -> builder.disable(JsonWriteFeature.values()),
        builder ->
            builder
                .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION),
        builder ->
            builder
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS));
  }

  private static JacksonEventSerializer.Builder metadata() {
    return JacksonEventSerializer.builder().metadataInBody(true);
  }
}
