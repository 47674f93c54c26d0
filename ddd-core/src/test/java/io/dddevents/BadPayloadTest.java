// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static io.dddevents.BadInput.mistaken;
import static io.dddevents.BadInput.refused;
import static io.dddevents.BadInput.unreadable;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.dddevents.jackson.JacksonEventSerializer;
import jakarta.persistence.Entity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.collection.spi.PersistentBag;
import org.hibernate.collection.spi.PersistentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows B01 to B20 of the bad-input matrix. */
final class BadPayloadTest {

  private static final String SECRET = Canary.TEXT;
  private static final int LIMIT = EventLimits.DEFAULT_PAYLOAD_BYTES;
  private static final Wire WIRE = Wire.of(Note.class, Anything.class, Nothing.class, Raw.class);
  private static final Wire WIRE_LARGE =
      Wire.of(
          JacksonEventSerializer.builder().maxPayloadBytes(EventLimits.MAX_PAYLOAD_BYTES),
          Note.class);
  private static final WireName NOTE = new WireName("note.written", 1);

  @EventType("note.written")
  record Note(@Nullable String text) implements DomainEvent {}

  @EventType("anything.happened")
  record Anything(String secret, @Nullable Object value) implements DomainEvent {}

  @EventType("nothing.happened")
  record Nothing() implements DomainEvent {}

  @EventType("raw.written")
  record Raw(@JsonRawValue String json) implements DomainEvent {}

  @Entity
  static class Customer {
    public String getName() {
      return SECRET;
    }
  }

  static final class CustomerProxy extends Customer {}

  static final class Basket extends AggregateRoot {}

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refusedAtCapture(BadInput input) {
    input.check();
  }

  static Stream<BadInput> refusedAtCapture() {
    return Stream.of(
        mistaken("B01 no event", BadPayloadTest::raiseNull, "event"),
        refused(
            "B01 no payload",
            () -> EventEnvelope.builder(EventIds.next(), NOTE).occurredAt(Instant.EPOCH).build(),
            "note.written v1",
            "payload"),
        refused(
            "B03 one byte over the limit",
            () -> WIRE.write(noteOfBytes(LIMIT + 1)),
            "note.written v1",
            String.valueOf(LIMIT + 1),
            String.valueOf(LIMIT)),
        refused(
            "B03 far over the limit",
            () -> WIRE.write(noteOfBytes(5_000_000)),
            "note.written v1",
            "5000000"),
        refused(
            "B03 one byte over what any envelope takes",
            () -> Wire.envelope(NOTE, new byte[EventLimits.MAX_PAYLOAD_BYTES + 1]),
            "note.written v1",
            "1048577",
            "1048576"),
        refusedValue("B06 nested 2000 deep", nested(2000), "100"),
        refusedValue("B06 nested one too deep", nested(100), "100"),
        refusedValue("B07 a list in itself", cycle(), "100"),
        refusedValue("B08 lone surrogate, first half", SECRET + "\ud800", "surrogate"),
        refusedValue("B08 lone surrogate, second half", "\udc00" + SECRET, "surrogate"),
        refusedValue("B08 surrogates the wrong way round", "\udc00\ud800" + SECRET, "surrogate"),
        refusedValue("B08 lone surrogate in a key", Map.of(SECRET + "\ud800", 1), "surrogate"),
        refusedValue("B08 lone surrogate in an array", new String[] {"\ud800"}, "surrogate"),
        refusedValue("B08 lone surrogate as a char", '\ud800', "surrogate"),
        refusedValue("B11 NaN", Double.NaN, "NaN"),
        refusedValue("B11 infinity", Double.NEGATIVE_INFINITY, "infinity"),
        refusedValue("B11 NaN as a float", Float.NaN, "NaN"),
        refusedValue("B11 NaN in an array", new double[] {1, Double.NaN}, "NaN"),
        refusedValue("B11 NaN in a float array", new float[] {1, Float.NaN}, "NaN"),
        refusedValue("B11 a number of its own kind that is NaN", new OddNumber("NaN"), "number"),
        refusedValue("B12 10000 digits", new BigInteger("9".repeat(10_000)), "1000"),
        refusedValue("B12 1001 digits", new BigInteger("9".repeat(1001)), "1001", "1000"),
        refusedValue("B12 1001 decimals", new BigDecimal("0." + "9".repeat(1001)), "1001", "1000"),
        refusedValue("B12 1e1000000", new BigDecimal("1e1000000"), "1000000", "1000"),
        refusedValue("B12 1e-1000000", new BigDecimal("1e-1000000"), "1000000", "1000"),
        refusedValue("B12 long, by a number of its own kind", new OddNumber("9".repeat(1001))),
        refusedValue("B13 two keys that are one in JSON", duplicateKeys()),
        refused(
            "B13 duplicate keys in raw JSON",
            () -> WIRE.write(new Raw("{\"a\":\"" + SECRET + "\",\"a\":1}")),
            "raw.written v1",
            "raw JSON"),
        refused(
            "B13 raw JSON that is none",
            () -> WIRE.write(new Raw("{" + SECRET)),
            "raw.written v1",
            "raw JSON"),
        refusedValue("B13 a key longer than a reader takes", Map.of("k".repeat(1001), 1), "1001"),
        refusedValue("B15 an entity", new Customer(), "Customer", "map what consumers need"),
        refusedValue("B15 a proxy", new CustomerProxy(), "CustomerProxy", "is an entity"),
        refusedValue("B15 an entity in a list", List.of(new Customer()), "is an entity"),
        refusedValue("B15 an aggregate", new Basket(), "Basket", "is an entity"),
        refusedValue("B15 a lazy list", new PersistentBag<>(List.of(SECRET)), "List.copyOf"),
        refusedValue("B15 a lazy map", new PersistentMap<>(Map.of(SECRET, 1)), "PersistentMap"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void unreadableForTheConsumer(BadInput input) {
    input.check();
  }

  static Stream<BadInput> unreadableForTheConsumer() {
    String secretText = "{\"text\":\"" + SECRET + "\"";
    return Stream.of(
        unreadableNote("B01 null", "null"),
        unreadableNote("B02 empty body", ""),
        unreadable(
            "B03 one byte over the limit",
            () -> WIRE.read(Note.class, WIRE_LARGE.write(noteOfBytes(LIMIT + 1))),
            "note.written v1",
            String.valueOf(LIMIT + 1),
            String.valueOf(LIMIT)),
        unreadableNote("B06 nested 2000 deep", "{\"x\":" + "[".repeat(2000) + "]".repeat(2000)),
        unreadableNote("B11 NaN", "{\"x\":NaN}"),
        unreadableAnything("B12 1001 digits", "9".repeat(1001)),
        unreadableAnything("B12 beyond a double", "1e1000"),
        unreadableAnything("B12 1e1000000", "1e1000000"),
        unreadableNote("B13 duplicate keys", secretText + ",\"text\":\"" + SECRET + "\"}"),
        unreadableNote("B13 duplicate keys in what is ignored", "{\"x\":{\"a\":1,\"a\":2}}"),
        unreadableNote("B13 something after the end", secretText + "} " + SECRET),
        unreadableNote("B13 cut off", secretText),
        unreadableNote("B13 no JSON", SECRET),
        unreadableBytes("B14 UTF-16", "{\"text\":\"a\"}".getBytes(UTF_16)),
        unreadableBytes("B14 UTF-16 without its mark", "{\"text\":\"a\"}".getBytes(UTF_16LE)),
        unreadableBytes("B14 a byte that UTF-8 does not have", textOf(0xff)),
        unreadableBytes("B14 a sequence cut off", textOf(0xc3, '(')),
        unreadableBytes("B14 an overlong slash", textOf(0xc0, 0xaf)),
        unreadableBytes("B14 half a surrogate pair", textOf(0xed, 0xa0, 0x80)));
  }

  @Test
  void b02AnEventWithoutPropertiesIsAnEmptyObject() {
    assertThat(WIRE.write(new Nothing())).isEqualTo("{}");
    assertThat(WIRE.roundTrip(new Nothing())).isEqualTo(new Nothing());
  }

  @Test
  void b02AnEmptyPayloadHasAHashOfItsOwn() {
    byte[] none = Wire.envelope(NOTE, new byte[0]).payload();
    assertThat(none).isEmpty();
    EventEnvelope empty = envelopeOf(new byte[0]);
    assertThat(empty.sha256()).hasSize(32).isNotEqualTo(envelopeOf("{}".getBytes(UTF_8)).sha256());
  }

  @Test
  void b04ExactlyTheLimitIsAccepted() {
    Note note = noteOfBytes(LIMIT);
    assertThat(WIRE.write(note)).hasSize(LIMIT);
    assertThat(WIRE.roundTrip(note)).isEqualTo(note);
    Note largest = noteOfBytes(EventLimits.MAX_PAYLOAD_BYTES);
    assertThat(WIRE_LARGE.roundTrip(largest)).isEqualTo(largest);
  }

  @Test
  void b05ALimitAboveWhatAnEnvelopeTakesIsRefusedAtStart() {
    assertThatThrownBy(() -> JacksonEventSerializer.builder().maxPayloadBytes(1_048_577))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("1048577", "1048576");
    assertThatThrownBy(() -> JacksonEventSerializer.builder().maxPayloadBytes(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void b06AsDeepAsAllowedIsAccepted() {
    Object value = nested(99);
    assertThat(WIRE.roundTrip(new Anything("", value))).isEqualTo(new Anything("", value));
  }

  @Test
  void b12AsLongAsAllowedIsAccepted() {
    for (String sign : List.of("", "-")) {
      BigInteger number = new BigInteger(sign + "9".repeat(1000));
      assertThat(WIRE.roundTrip(new Anything("", number))).isEqualTo(new Anything("", number));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void acceptedAndReadBackAsWritten(String row, Object value) {
    assertThat(row).startsWith("B");
    Anything event = new Anything(SECRET, value);
    assertThat(WIRE.roundTrip(event)).isEqualTo(event);
  }

  static Stream<Object[]> acceptedAndReadBackAsWritten() {
    return Stream.of(
        new Object[] {"B09 U+0000", "a\u0000b"},
        new Object[] {"B10 four bytes of UTF-8", "\ud83d\ude00"},
        new Object[] {"B16 @class", Map.of("@class", "java.lang.Runtime")},
        new Object[] {"B16 @type", Map.of("@type", "javax.el.ELProcessor")},
        new Object[] {"B16 $type", Map.of("$type", List.of("[Lcom.evil.X;", 1))},
        new Object[] {"B16 an array that looks like a type", List.of("java.util.Date", 1)},
        new Object[] {"B19 markup", "</script><img src=x onerror=alert(1)>"},
        new Object[] {"B20 CR, LF, escape and bidi control", "a\r\nb\u001b[31m\u202e"});
  }

  @Test
  void b17TheBytesAreTheTruthWhateverTheOrderOfAMap() {
    Map<String, Integer> one = new LinkedHashMap<>(Map.of("a", 1));
    one.put("b", 2);
    Map<String, Integer> other = new LinkedHashMap<>(Map.of("b", 2));
    other.put("a", 1);
    byte[] first = WIRE.bytes(new Anything("", one), EventOptions.defaults());
    byte[] second = WIRE.bytes(new Anything("", other), EventOptions.defaults());
    assertThat(first).isNotEqualTo(second);
    assertThat(envelopeOf(first).sha256()).isNotEqualTo(envelopeOf(second).sha256());
    assertThat(WIRE.read(Anything.class, first)).isEqualTo(WIRE.read(Anything.class, second));
  }

  @SuppressWarnings("NullAway") // the mistake is the point
  private static void raiseNull() {
    new PendingEvents().raise(null);
  }

  private static BadInput refusedValue(String row, Object value, String... named) {
    List<String> all = new ArrayList<>(List.of(named));
    all.add("anything.happened v1");
    all.add("event 0");
    return refused(row, () -> WIRE.write(new Anything(SECRET, value)), all.toArray(String[]::new));
  }

  private static BadInput unreadableNote(String row, String json) {
    return unreadableBytes(row, json.getBytes(UTF_8));
  }

  private static BadInput unreadableBytes(String row, byte[] json) {
    return unreadable(row, () -> WIRE.read(Note.class, json), "event 0", "note.written v1");
  }

  private static BadInput unreadableAnything(String row, String value) {
    String json = "{\"secret\":\"" + SECRET + "\",\"value\":" + value + "}";
    return unreadable(row, () -> WIRE.read(Anything.class, json), "event 0", "anything.happened");
  }

  private static EventEnvelope envelopeOf(byte[] payload) {
    return EventEnvelope.builder(new UUID(1, 2), NOTE)
        .occurredAt(Instant.EPOCH)
        .payload("application/json", payload)
        .build();
  }

  private static Note noteOfBytes(int bytes) {
    int around = "{\"text\":\"\"}".length() + SECRET.length();
    return new Note(SECRET + "x".repeat(bytes - around));
  }

  private static byte[] textOf(int... bytes) {
    byte[] head = "{\"text\":\"".getBytes(UTF_8);
    byte[] all = new byte[head.length + bytes.length + 2];
    System.arraycopy(head, 0, all, 0, head.length);
    for (int i = 0; i < bytes.length; i++) {
      all[head.length + i] = (byte) bytes[i];
    }
    all[all.length - 2] = '"';
    all[all.length - 1] = '}';
    return all;
  }

  /** Lists in lists; the event itself is one level more. */
  private static Object nested(int depth) {
    Object value = List.of();
    for (int i = 1; i < depth; i++) {
      value = List.of(value);
    }
    return value;
  }

  private static List<Object> cycle() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    return list;
  }

  private static Map<Object, String> duplicateKeys() {
    Map<Object, String> map = new LinkedHashMap<>();
    map.put(1, SECRET);
    map.put("1", SECRET);
    return map;
  }

  /** Jackson writes a number that it does not know by its text. */
  private static final class OddNumber extends Number {
    private final String text;

    OddNumber(String text) {
      this.text = text;
    }

    @Override
    public int intValue() {
      return 0;
    }

    @Override
    public long longValue() {
      return 0;
    }

    @Override
    public float floatValue() {
      return 0;
    }

    @Override
    public double doubleValue() {
      return 0;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
