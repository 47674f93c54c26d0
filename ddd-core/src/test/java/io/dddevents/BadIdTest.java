// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static io.dddevents.BadInput.mistaken;
import static io.dddevents.BadInput.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows B20 to B29 of the bad-input matrix, as far as no database decides them. */
final class BadIdTest {

  private static final String SECRET = Canary.TEXT;
  private static final WireName TYPE = new WireName("order.placed", 1);

  record Registered() implements DomainEvent {}

  record Unregistered() implements DomainEvent {}

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusedAtCapture(BadInput input) {
    input.check();
  }

  static Stream<BadInput> refusedAtCapture() {
    return Stream.of(
        mistaken("B23 aggregate id null", BadIdTest::aggregateWithoutId, "aggregate id"),
        refused("B23 aggregate id empty", () -> order(""), "aggregate id", "blank"),
        refused("B23 aggregate id blank", () -> order(" \t\u2003"), "aggregate id", "blank"),
        refused("B23 aggregate type blank", () -> new Aggregate(" ", "1", null), "aggregate type"),
        refused(
            "B24 aggregate id of 201 bytes",
            () -> order(SECRET + "x".repeat(201 - SECRET.length())),
            "aggregate id",
            "201",
            "200"),
        refused(
            "B24 aggregate id of 67 characters and 201 bytes",
            () -> order("€".repeat(67)),
            "aggregate id",
            "201",
            "200"),
        refused(
            "B24 aggregate type of 201 bytes",
            () -> new Aggregate("x".repeat(201), "1", null),
            "aggregate type",
            "201",
            "200"),
        refused(
            "B24 dedupe key of 201 bytes",
            () -> EventOptions.defaults().dedupeKey("x".repeat(201)),
            "dedupe key",
            "201",
            "200"),
        refused(
            "B24 tenant of 101 bytes",
            () -> EventContext.none().withTenant("x".repeat(101)),
            "tenant",
            "101",
            "100"),
        refused(
            "B24 correlation id of 201 bytes",
            () -> EventContext.none().withCorrelationId("x".repeat(201)),
            "correlation id",
            "201",
            "200"),
        refused(
            "B24 causation id of 201 bytes",
            () -> EventContext.none().withCausationId("x".repeat(201)),
            "causation id",
            "201",
            "200"),
        refused("B08 aggregate id with a lone surrogate", () -> order(SECRET + "\ud800"), "13"),
        refused(
            "B08 tenant with a lone surrogate",
            () -> EventContext.none().withTenant("\udc00" + SECRET),
            "tenant"),
        refused("B28 negative version", () -> new Aggregate("a\r\nb", SECRET, -1L), "-1"),
        refused(
            "B29 event type not registered",
            () -> EventTypes.only(List.of(Registered.class)).nameOf(Unregistered.class),
            Unregistered.class.getName(),
            Registered.class.getName(),
            "EventTypes.only"),
        refused(
            "document 001: a dedupe key without its tenant",
            () -> tenantAndKey("acme", SECRET),
            "'acme'",
            "'<tenant>/<your key>'"),
        refused(
            "document 001: a dedupe key of a tenant with the same beginning",
            () -> tenantAndKey("acme", "acme-north/" + SECRET),
            "'acme'"));
  }

  @Test
  void b20NoIdBreaksALogLine() {
    EventEnvelope envelope = envelope(new Aggregate("Or\r\nder", "1\u001b[31m\u202e\n", 3L));
    assertThat(envelope.toString())
        .contains(envelope.id().toString(), "order.placed v1", "Or\\u000d\\u000ader")
        .doesNotContain("\r", "\n", "\u001b", "\u202e");
  }

  @Test
  void b20NoTextOfARaisedEventTellsItsContent() {
    record Told(String secret) implements DomainEvent {}
    RaisedEvent raised =
        RaisedEvent.of(new Told(SECRET), EventOptions.defaults().header("note", SECRET));
    assertThat(raised.toString()).contains(raised.id().toString()).doesNotContain(SECRET);
    EventEnvelope envelope =
        EventEnvelope.builder(raised, TYPE).payload("text/plain", SECRET.getBytes(UTF_8)).build();
    assertThat(envelope.toString()).doesNotContain(SECRET);
  }

  @Test
  void b22IdsThatLookAlikeAreDifferentIds() {
    List<String> alike = List.of("abc", "ABC", "abc ", "âbc", "a\u0302bc");
    assertThat(alike.stream().map(BadIdTest::order)).doesNotHaveDuplicates();
    assertThat(alike.stream().map(id -> new Hash(envelope(order(id)).sha256())))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest(name = "B25 aggregate id {0} is taken as it is")
  @ValueSource(strings = {"a.b", "*", "#", "../..", "a b", "ü", "\ud83d\ude00"})
  void b25AnAggregateIdIsNoPartOfTheName(String id) {
    EventEnvelope envelope = envelope(order(id));
    assertThat(envelope.aggregate()).contains(order(id));
    assertThat(envelope.type().name()).isEqualTo("order.placed");
  }

  @Test
  void b24AnIdOf200BytesIsTaken() {
    assertThat(order("é".repeat(100)).id()).hasSize(100);
  }

  @Test
  void b27AnIdFromTheYear2090IsAnIdAndNoOrder() {
    long millis = Instant.parse("2090-01-01T00:00:00Z").toEpochMilli();
    UUID id = new UUID(millis << 16 | 0x7000, 0x8000000000000001L);
    PendingEvents pending = new PendingEvents();
    pending.raise(new Registered(), EventOptions.defaults().id(id));
    pending.raise(new Registered());
    List<RaisedEvent> raised = pending.list();
    assertThat(raised.get(0).id()).isEqualTo(id);
    assertThat(raised.get(0).id()).isGreaterThan(raised.get(1).id());
    assertThat(raised.get(0).order()).isLessThan(raised.get(1).order());
  }

  @Test
  void aDedupeKeyThatBeginsWithItsTenantIsTaken() throws Exception {
    assertThat(tenantAndKey("acme", "acme/42").dedupeKey()).isEqualTo("acme/42");
  }

  private static Aggregate order(String id) {
    return new Aggregate("Order", id, null);
  }

  @SuppressWarnings("NullAway") // the mistake is the point
  private static void aggregateWithoutId() {
    order(null);
  }

  private static RaisedEvent tenantAndKey(String tenant, String key) throws Exception {
    return EventContext.none()
        .withTenant(tenant)
        .call(() -> RaisedEvent.of(new Registered(), EventOptions.defaults().dedupeKey(key)));
  }

  private static EventEnvelope envelope(Aggregate aggregate) {
    return EventEnvelope.builder(new UUID(1, 2), TYPE)
        .aggregate(aggregate)
        .occurredAt(Instant.EPOCH)
        .payload("application/json", new byte[0])
        .build();
  }

  private record Hash(List<Byte> bytes) {
    Hash(byte[] bytes) {
      this(IntStream.range(0, bytes.length).mapToObj(i -> bytes[i]).toList());
    }
  }
}
