// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static io.dddevents.BadInput.refused;
import static io.dddevents.BadInput.unreadable;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dddevents.UnreadableEventException.Reason;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows B30 to B45 of the bad-input matrix: type names and headers. */
final class BadNameTest {

  private static final String SECRET = Canary.TEXT;
  private static final Wire WIRE = Wire.of(Placed.class);

  @EventType(
      value = "order.placed",
      aliases = {"com.acme.OrderCreated"})
  record Placed(String id) implements DomainEvent {}

  @EventType("order.placed")
  record Other() implements DomainEvent {}

  static boolean trapSprung;

  /** A class that a message must not be able to wake. */
  static final class Trap implements DomainEvent {
    static {
      trapSprung = true;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusedAtCapture(BadInput input) {
    input.check();
  }

  static Stream<BadInput> refusedAtCapture() {
    String tooLong = "x".repeat(201);
    return Stream.of(
        refusedType("B32 a path", "../../etc/passwd", "position 0"),
        refusedType("B32 a lookup", "${jndi:ldap://x}", "position 1"),
        refusedType("B32 a line break", "a\nb", "'a\\u000ab'", "position 1"),
        refusedType("B32 a carriage return at the end", "a\r", "'a\\u000d'"),
        refusedType("B32 an array of classes", "[Lcom.evil.X;", "position 0"),
        refusedType("B32 a letter beyond ASCII", "bestellung.übermittelt", "\\u00fc"),
        refusedType("B32 a wildcard", "order.*", "position 6"),
        refusedType("B32 a hash", "order.#", "position 6"),
        refusedType("B32 empty", "", "empty"),
        refusedType("B33 86 characters in 258 bytes", "€".repeat(86), "position 0"),
        refusedType("B37 256 bytes", "€".repeat(85) + "x", "position 0"),
        refusedType("B37 201 characters", tooLong, "201", "200"),
        refusedType("B39 an empty word", "a..b", "position 2"),
        refusedType("B39 a leading dot", ".a", "position 0"),
        refusedType("B39 a dot at the end", "a.", "position 1"),
        refused("B36 version 0", () -> new WireName("a", 0), "'a'", "version 0"),
        refused("B36 version 32768", () -> new WireName("a", 32768), "32768", "32767"),
        refused(
            "B34 two classes under one name and version",
            () -> EventTypes.of(Placed.class, Other.class),
            Placed.class.getName(),
            Other.class.getName(),
            "order.placed v1"),
        refusedHeader("B40 CC", "CC", "broker"),
        refusedHeader("B40 cc in small letters", "cc", "broker"),
        refusedHeader("B40 BCC", "BcC", "broker"),
        refusedHeader("B41 x-delay", "x-delay", "broker"),
        refusedHeader("B41 x-death", "X-Death", "broker"),
        refusedHeader("B41 x-match", "x-match", "broker"),
        refusedHeader("B41 x-delivery-count", "x-delivery-count", "broker"),
        refusedHeader("B41 a name of ours", "ddd-event-id", "framework"),
        refusedHeader("B41 a name of CloudEvents", "cloudEvents_id", "framework"),
        refusedHeader("B41 the trace", "TraceParent", "framework"),
        new BadInput(
            "B42 a value that is no text",
            ClassCastException.class,
            () -> EventContext.none().withHeaders(untyped(Instant.EPOCH)),
            List.of("String")),
        refused(
            "B43 65537 bytes together",
            () -> headers("a", SECRET + "x".repeat(65_536 - SECRET.length())),
            "65537",
            "65536"),
        refused(
            "B43 by bytes, not characters",
            () -> headers("a", "€".repeat(21_846)),
            "65539",
            "65536"),
        refused("B44 129 characters", () -> headers("x".repeat(129), SECRET), "129", "128"),
        refusedHeader("B44 empty", "", "0 characters"),
        refusedHeader("B44 a space", "a b", "'a b'"),
        refusedHeader("B44 a line break", "a\r\nCC", "'a\\u000d\\u000aCC'"),
        refusedHeader("B44 a letter beyond ASCII", "schlüssel", "\\u00fc"),
        refusedHeader("B44 a colon", "a:b", "position 1"),
        refused(
            "B45 1000 headers", () -> EventContext.none().withHeaders(many(1000)), "1000", "64"),
        refused("B45 65 headers", () -> EventContext.none().withHeaders(many(65)), "65", "64"),
        refused(
            "B45 65 headers, one by one",
            () -> new EventOptions(null, null, null, many(64)).header("one.more", SECRET),
            "65",
            "64"),
        refused(
            "B45 65 headers in scope and options together",
            () ->
                EventContext.none()
                    .withHeaders(many(64))
                    .call(
                        () ->
                            RaisedEvent.of(
                                new Placed("1"),
                                EventOptions.defaults().header("one.more", SECRET))),
            "65",
            "64"),
        refused("B08 a value with a lone surrogate", () -> headers("a", SECRET + "\ud800"), "'a'"),
        refused(
            "a traceparent in capitals",
            () -> EventContext.none().withTraceparent("00-" + "A".repeat(32) + SECRET),
            "traceparent"));
  }

  @ParameterizedTest(name = "B31 {0} as a type is a miss in a map")
  @ValueSource(
      strings = {
        "java.lang.Runtime",
        "com.zaxxer.hikari.HikariConfig",
        "javax.el.ELProcessor",
        "io.dddevents.BadNameTest$Trap"
      })
  void b31AClassNameLoadsNoClass(String name) {
    EventEnvelope envelope = Wire.envelope(new WireName(name, 1), "{}".getBytes(UTF_8));
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> WIRE.read(envelope.type(), envelope.payload()))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_TYPE));
    assertThat(trapSprung).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void unreadableForTheConsumer(BadInput input) {
    input.check();
  }

  static Stream<BadInput> unreadableForTheConsumer() {
    String payload = "{\"id\":\"" + SECRET + "\"}";
    return Stream.of(
        unreadable(
            "B30 unknown type",
            () -> WIRE.read(new WireName("order.shipped", 1), payload),
            "event 0",
            "'order.shipped'",
            "order.placed v1"),
        unreadable(
            "B36 version newer than known",
            () -> WIRE.read(new WireName("order.placed", 2), payload),
            "event 0",
            "'order.placed'",
            "[1]",
            "version 2"));
  }

  @Test
  void b36AVersionNewerThanKnownHasAReasonOfItsOwn() {
    assertThatExceptionOfType(UnreadableEventException.class)
        .isThrownBy(() -> WIRE.read(new WireName("order.placed", 2), "{}"))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED_VERSION));
  }

  @Test
  void b35AnEventIsReadUnderItsFormerName() {
    assertThat(WIRE.read(new WireName("com.acme.OrderCreated", 1), "{\"id\":\"7\"}"))
        .isEqualTo(new Placed("7"));
  }

  @Test
  void b37ANameOf200CharactersIsTaken() {
    assertThat(new WireName("x".repeat(200), 32767).name()).hasSize(200);
  }

  @Test
  void b43HeadersOfExactlyTheLimitAreTaken() {
    assertThat(headers("a", "x".repeat(65_535)).headers()).hasSize(1);
  }

  @Test
  void b45As64HeadersAreTaken() {
    assertThat(EventContext.none().withHeaders(many(64)).headers()).hasSize(64);
  }

  @Test
  void aHeaderValueIsTakenAsItIs() {
    String value = "a\r\n\u0000\ud83d\ude00 ${jndi:ldap://x}";
    assertThat(headers("note", value).headers()).containsExactly(Map.entry("note", value));
    assertThat(headers("note", "").headers()).containsExactly(Map.entry("note", ""));
  }

  @Test
  void headersAreCopiedAndSorted() {
    Map<String, String> given = new TreeMap<>(Collections.reverseOrder());
    given.putAll(Map.of("a", "1", "b", "2", "C", "3"));
    EventContext context = EventContext.none().withHeaders(given);
    given.put("d", "4");
    assertThat(context.headers().keySet()).containsExactly("C", "a", "b");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> context.headers().put("x", "y"));
  }

  private static BadInput refusedType(String row, String name, String... named) {
    return refused(row, () -> new WireName(name, 1), named);
  }

  private static BadInput refusedHeader(String row, String name, String... named) {
    return refused(row, () -> headers(name, SECRET), named);
  }

  private static EventContext headers(String name, String value) {
    return EventContext.none().withHeaders(Map.of(name, value));
  }

  private static Map<String, String> many(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "h" + i, i -> SECRET));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // what a caller without generics can do
  private static Map<String, String> untyped(Object value) {
    return new HashMap(Map.of("a", value));
  }
}
