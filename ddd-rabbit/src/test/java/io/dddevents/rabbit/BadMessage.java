// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.dddevents.EventEnvelope;
import io.dddevents.WireName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Messages of a hostile or broken publisher; the ids are the rows of the bad-input matrix. */
final class BadMessage {

  private final String name;
  private final ParkReason reason;
  private final BasicProperties properties;
  private final byte[] body;
  private final Set<String> tenants;

  private BadMessage(
      String name,
      ParkReason reason,
      BasicProperties properties,
      byte[] body,
      Set<String> tenants) {
    this.name = name;
    this.reason = reason;
    this.properties = properties;
    this.body = body;
    this.tenants = tenants;
  }

  static List<BadMessage> all() {
    List<BadMessage> all = new ArrayList<>();
    all.add(typed("B30 unknown type", "test.unknown", ParkReason.UNKNOWN_TYPE));
    all.add(typed("B31 class of the JDK", "java.lang.Runtime", ParkReason.UNKNOWN_TYPE));
    all.add(typed("B31 array of a class", "[Lcom.evil.X;", ParkReason.BAD_ENVELOPE));
    all.add(typed("B31 gadget", "com.zaxxer.hikari.HikariConfig", ParkReason.UNKNOWN_TYPE));
    all.add(typed("B31 EL", "javax.el.ELProcessor", ParkReason.UNKNOWN_TYPE));
    all.add(typed("B32 path", "../../etc/x", ParkReason.BAD_ENVELOPE));
    all.add(typed("B32 JNDI", "${jndi:ldap://x}", ParkReason.BAD_ENVELOPE));
    all.add(typed("B32 line break", "a\nb", ParkReason.BAD_ENVELOPE));
    all.add(typed("B33 255 bytes of type", "€".repeat(85), ParkReason.BAD_ENVELOPE));
    all.add(header("B36 newer version", "ddd-version", 3, ParkReason.UNSUPPORTED_VERSION));
    all.add(header("B36 version 0", "ddd-version", 0, ParkReason.BAD_ENVELOPE));
    all.add(header("B36 version as text", "ddd-version", "2", ParkReason.BAD_ENVELOPE));
    all.add(with("B88 no id", p -> p.messageId(null), ParkReason.NO_ID));
    all.add(with("B88 empty id", p -> p.messageId(""), ParkReason.NO_ID));
    all.add(with("B88 id is no UUID", p -> p.messageId("17"), ParkReason.BAD_ENVELOPE));
    all.add(invalidUtf8());
    all.add(
        with(
            "B90 serialised Java object",
            p -> p.contentType("application/x-java-serialized-object"),
            ParkReason.INTEGRITY));
    all.add(content("B90 serialised Java object, hashed", "application/x-java-serialized-object"));
    all.add(with("B90 no content type", p -> p.contentType(null), ParkReason.BAD_ENVELOPE));
    all.add(payload("B91 empty", "", ParkReason.BAD_PAYLOAD));
    all.add(payload("B91 not JSON", "<xml/>", ParkReason.BAD_PAYLOAD));
    all.add(payload("B91 null", "null", ParkReason.BAD_PAYLOAD));
    all.add(payload("B91 wrong shape", "[1,2]", ParkReason.BAD_PAYLOAD));
    all.add(payload("B91 deep", "[".repeat(5000), ParkReason.BAD_PAYLOAD));
    all.add(oversize());
    all.add(with("B92 gzip", p -> p.contentEncoding("gzip"), ParkReason.CONTENT_ENCODING));
    all.add(headers("B93 no hash", h -> h.remove(EventMessage.SHA256), ParkReason.INTEGRITY));
    all.add(header("B93 wrong hash", EventMessage.SHA256, "00".repeat(32), ParkReason.INTEGRITY));
    all.add(header("B93 hash is no hex", EventMessage.SHA256, "zz", ParkReason.INTEGRITY));
    all.add(aged("B94 eight days old", Duration.ofDays(-8), ParkReason.TOO_OLD));
    all.add(aged("B94 ten years ahead", Duration.ofDays(3650), ParkReason.CLOCK));
    all.add(header("B94 no time at all", "cloudEvents_time", "yesterday", ParkReason.BAD_ENVELOPE));
    all.add(
        headers(
            "B96 a thousand headers",
            h -> {
              for (int i = 0; i < 1000; i++) {
                h.put("h" + i, i);
              }
            },
            ParkReason.BAD_ENVELOPE));
    all.add(
        header(
            "B96 table where text is expected",
            "ddd-tenant",
            Map.of("a", Map.of("b", 1)),
            ParkReason.BAD_ENVELOPE));
    all.add(unhandled());
    all.add(foreign());
    return all;
  }

  String name() {
    return name;
  }

  ParkReason reason() {
    return reason;
  }

  BasicProperties properties() {
    return properties;
  }

  byte[] body() {
    return body;
  }

  Set<String> tenants() {
    return tenants;
  }

  @Override
  public String toString() {
    return name + " is parked as " + reason;
  }

  private static BadMessage typed(String name, String type, ParkReason reason) {
    return with(
        name,
        p -> p.type(type),
        reason == ParkReason.UNKNOWN_TYPE ? hashed(type) : ConsumerBench.noted("a", 1),
        reason);
  }

  private static EventEnvelope hashed(String type) {
    return EventEnvelope.builder(UUID.randomUUID(), new WireName(type, 1))
        .occurredAt(Instant.now())
        .payload("application/json", ConsumerBench.json("{}"))
        .build();
  }

  private static BadMessage content(String name, String contentType) {
    EventEnvelope envelope =
        EventEnvelope.builder(UUID.randomUUID(), new WireName("test.noted", 2))
            .occurredAt(Instant.now())
            .payload(contentType, new byte[] {(byte) 0xAC, (byte) 0xED, 0, 5})
            .build();
    return of(name, envelope, ParkReason.CONTENT_TYPE);
  }

  private static BadMessage payload(String name, String payload, ParkReason reason) {
    EventEnvelope envelope =
        EventEnvelope.builder(UUID.randomUUID(), new WireName("test.noted", 2))
            .occurredAt(Instant.now())
            .payload("application/json", ConsumerBench.json(payload))
            .build();
    return of(name, envelope, reason);
  }

  private static BadMessage oversize() {
    EventEnvelope good = ConsumerBench.noted("a", 1);
    return new BadMessage(
        "B91 a byte more than a megabyte",
        ParkReason.TOO_LARGE,
        ConsumerBench.properties(good),
        new byte[1024 * 1024 + 1],
        Set.of());
  }

  private static BadMessage aged(String name, Duration age, ParkReason reason) {
    EventEnvelope envelope =
        ConsumerBench.noted(UUID.randomUUID(), "a", 1, Instant.now().plus(age));
    return of(name, envelope, reason);
  }

  private static BadMessage unhandled() {
    EventEnvelope envelope =
        EventEnvelope.builder(UUID.randomUUID(), new WireName("test.unwanted", 1))
            .occurredAt(Instant.now())
            .payload("application/json", ConsumerBench.json("{\"what\":\"x\"}"))
            .build();
    return of("B99 event of another consumer", envelope, ParkReason.NO_HANDLER);
  }

  private static BadMessage foreign() {
    EventEnvelope envelope = ConsumerBench.noted("a", 1);
    return new BadMessage(
        "B99 event of another tenant",
        ParkReason.FOREIGN_TENANT,
        ConsumerBench.properties(envelope),
        envelope.payload(),
        Set.of("ours"));
  }

  private static BadMessage invalidUtf8() {
    return new BadMessage(
        "B89 ids of 255 bytes that are no UTF-8",
        ParkReason.BAD_ENVELOPE,
        new InvalidUtf8Properties(),
        ConsumerBench.json("{}"),
        Set.of());
  }

  private static BadMessage of(String name, EventEnvelope envelope, ParkReason reason) {
    return new BadMessage(
        name, reason, ConsumerBench.properties(envelope), envelope.payload(), Set.of());
  }

  private static BadMessage header(String name, String header, Object value, ParkReason reason) {
    if (reason == ParkReason.UNSUPPORTED_VERSION) {
      EventEnvelope envelope =
          EventEnvelope.builder(UUID.randomUUID(), new WireName("test.noted", (Integer) value))
              .occurredAt(Instant.now())
              .payload("application/json", ConsumerBench.json("{}"))
              .build();
      return of(name, envelope, reason);
    }
    return headers(name, h -> h.put(header, value), reason);
  }

  private static BadMessage headers(
      String name, Consumer<Map<String, Object>> change, ParkReason reason) {
    EventEnvelope good = ConsumerBench.noted("a", 1);
    Map<String, Object> headers = new HashMap<>(ConsumerBench.properties(good).getHeaders());
    change.accept(headers);
    return new BadMessage(
        name,
        reason,
        ConsumerBench.properties(good).builder().headers(headers).build(),
        good.payload(),
        Set.of());
  }

  private static BadMessage with(
      String name, UnaryOperator<BasicProperties.Builder> change, ParkReason reason) {
    return with(name, change, ConsumerBench.noted("a", 1), reason);
  }

  private static BadMessage with(
      String name,
      UnaryOperator<BasicProperties.Builder> change,
      EventEnvelope good,
      ParkReason reason) {
    BasicProperties changed = change.apply(ConsumerBench.properties(good).builder()).build();
    return new BadMessage(name, reason, changed, good.payload(), Set.of());
  }

  /** Writes bytes that no String can hold. */
  private static final class InvalidUtf8Properties extends BasicProperties {

    @Override
    public void writePropertiesTo(ContentHeaderPropertyWriter writer) throws IOException {
      // contentType, contentEncoding, headers, deliveryMode, priority, correlationId, replyTo,
      // expiration, messageId, timestamp, type, userId, appId, clusterId
      for (int property = 0; property < 14; property++) {
        writer.writePresence(
            property == 0 || property == 3 || property == 5 || property == 8 || property == 10);
      }
      writer.finishPresence();
      writer.writeShortstr("application/json");
      writer.writeOctet(2);
      invalid(writer);
      invalid(writer);
      writer.writeShortstr("test.noted");
    }

    private static void invalid(ContentHeaderPropertyWriter writer) throws IOException {
      writer.writeOctet(255);
      for (int i = 0; i < 255; i++) {
        writer.writeOctet(0xFF);
      }
    }
  }
}
