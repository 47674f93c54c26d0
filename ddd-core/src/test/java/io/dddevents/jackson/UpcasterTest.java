// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dddevents.Canary;
import io.dddevents.DomainEvent;
import io.dddevents.EventType;
import io.dddevents.EventTypes;
import io.dddevents.UnreadableEventException;
import io.dddevents.UnreadableEventException.Reason;
import io.dddevents.Wire;
import io.dddevents.WireName;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class UpcasterTest {

  @EventType(value = "order.placed", version = 3, aliases = "order.created")
  record OrderPlaced(String orderId, BigDecimal total, String currency) implements DomainEvent {}

  /** Version 1 said {@code id} and had no currency; version 2 said {@code amount}. */
  private final Wire wire = Wire.of(upcasters("order.placed"), OrderPlaced.class);

  @Test
  void aPayloadOfVersion1IsLedToVersion3() {
    assertThat(read(1, "{\"id\":\"7\",\"amount\":12.50}"))
        .isEqualTo(new OrderPlaced("7", new BigDecimal("12.50"), "EUR"));
  }

  @Test
  void aPayloadOfVersion2SkipsTheFirstStep() {
    assertThat(read(2, "{\"orderId\":\"7\",\"amount\":1}"))
        .isEqualTo(new OrderPlaced("7", BigDecimal.ONE, "EUR"));
  }

  @Test
  void aPayloadOfVersion3IsReadAsItIs() {
    assertThat(read(3, "{\"orderId\":\"7\",\"total\":1,\"currency\":\"CHF\"}"))
        .isEqualTo(new OrderPlaced("7", BigDecimal.ONE, "CHF"));
  }

  @Test
  void anAmountKeepsEveryDigitOnTheWay() {
    BigDecimal amount = new BigDecimal("12345678901234567890.1234567890123456789000");
    assertThat(read(1, "{\"id\":\"7\",\"amount\":" + amount + "}"))
        .isEqualTo(new OrderPlaced("7", amount, "EUR"));
  }

  @Test
  void aFormerNameIsUpcastToo() {
    assertThat(wire.read(new WireName("order.created", 1), "{\"id\":\"7\",\"amount\":1}"))
        .isEqualTo(new OrderPlaced("7", BigDecimal.ONE, "EUR"));
  }

  @Test
  void anUpcasterMayBeRegisteredUnderTheFormerName() {
    Wire former = Wire.of(upcasters("order.created"), OrderPlaced.class);
    assertThat(former.read(new WireName("order.created", 1), "{\"id\":\"7\",\"amount\":1}"))
        .isEqualTo(new OrderPlaced("7", BigDecimal.ONE, "EUR"));
  }

  @Test
  void aVersionThatNoUpcasterLeadsToIsUnsupported() {
    assertUnreadable(4, "{}", Reason.UNSUPPORTED_VERSION, "[3]", "version 4");
    Wire half =
        Wire.of(
            JacksonEventSerializer.builder().upcast("order.placed", 1, payload -> payload),
            OrderPlaced.class);
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> half.read(new WireName("order.placed", 1), "{}"))
        .withMessageContainingAll("event 0", "version 2")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED_VERSION));
  }

  @Test
  void aPayloadThatAnUpcasterCannotTakeIsUnreadable() {
    assertUnreadable(1, "{\"amount\":\"S3CRET-CANARY\"}", Reason.BAD_PAYLOAD, "order.placed v1");
  }

  @Test
  void anExceptionOfAnUpcasterIsTheCause() {
    Wire broken =
        Wire.of(
            JacksonEventSerializer.builder()
                .upcast(
                    "order.placed",
                    2,
                    payload -> {
                      throw new IllegalStateException("upcaster is broken");
                    }),
            OrderPlaced.class);
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> broken.read(new WireName("order.placed", 2), "{}"))
        .withMessageContainingAll("event 0", "order.placed v2", "IllegalStateException")
        .havingCause()
        .withMessage("upcaster is broken");
  }

  @Test
  void onlyAnObjectCanBeUpcast() {
    assertUnreadable(1, "[\"S3CRET-CANARY\"]", Reason.BAD_PAYLOAD, "not a JSON object");
    assertUnreadable(1, "null", Reason.BAD_PAYLOAD, "not a JSON object");
    assertUnreadable(1, "", Reason.BAD_PAYLOAD, "");
  }

  @Test
  void aPayloadIsAsStrictBeforeAnUpcasterAsWithoutOne() {
    assertUnreadable(1, "{\"id\":\"S3CRET-CANARY\",\"id\":\"\"}", Reason.BAD_PAYLOAD, "v1");
    assertUnreadable(1, "{\"id\":\"7\",\"amount\":1} x", Reason.BAD_PAYLOAD, "v1");
    assertUnreadable(1, "{\"x\":" + "[".repeat(100) + "]".repeat(100), Reason.BAD_PAYLOAD, "100");
  }

  @Test
  void twoUpcastersForOneVersionAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> upcasters("order.placed").upcast("order.placed", 1, payload -> payload))
        .withMessageContaining("order.placed v1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                upcasters("order.placed")
                    .upcast("order.created", 1, payload -> payload)
                    .types(EventTypes.of(OrderPlaced.class))
                    .build())
        .withMessageContainingAll("order.placed v1", "alias");
  }

  private static JacksonEventSerializer.Builder upcasters(String name) {
    return JacksonEventSerializer.builder()
        .upcast(
            name,
            1,
            payload -> {
              payload.put("orderId", payload.required("id").stringValue());
              return payload;
            })
        .upcast(
            name,
            2,
            payload -> {
              payload.set("total", payload.required("amount"));
              return payload.put("currency", "EUR");
            });
  }

  private DomainEvent read(int version, String json) {
    return wire.read(new WireName("order.placed", version), json);
  }

  private void assertUnreadable(int version, String json, Reason reason, String... told) {
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> read(version, json))
        .withMessageContainingAll(told)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .satisfies(Canary::assertHiddenIn);
  }
}
