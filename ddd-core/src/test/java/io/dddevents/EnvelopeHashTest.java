// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

final class EnvelopeHashTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  /** The parts of an envelope as texts, so that a test can change one or shift letters. */
  private record Parts(List<String> texts) {

    private static final List<String> NAMES =
        List.of(
            "type",
            "aggregateType",
            "aggregateId",
            "tenant",
            "correlationId",
            "causationId",
            "headerName",
            "headerValue",
            "dedupeKey",
            "contentType",
            "payload");

    Parts with(int index, String text) {
      List<String> copy = new ArrayList<>(texts);
      copy.set(index, text);
      return new Parts(copy);
    }

    String hash() {
      EventContext context =
          new EventContext(
              texts.get(3), texts.get(4), texts.get(5), null, Map.of(texts.get(6), texts.get(7)));
      return EnvelopeHashTest.hash(
          EventEnvelope.builder(new UUID(1, 2), new WireName(texts.get(0), 1))
              .aggregate(new Aggregate(texts.get(1), texts.get(2), 1L))
              .occurredAt(Instant.EPOCH)
              .context(context)
              .dedupeKey(texts.get(3) + "/" + texts.get(8))
              .payload(texts.get(9), texts.get(10).getBytes(UTF_8))
              .build());
    }
  }

  /** Rows and messages outlive a release: if this fails, the format needs another number. */
  @Example
  void theFormatIsPinned() {
    assertThat(hash(full().build()))
        .isEqualTo("a3353ee8b34ff53c7a6c44c17a64471c2dd9a9594df6beae59774a90b80d95f8");
    assertThat(hash(bare().build()))
        .isEqualTo("387318fb4c6c21e6418c980407c1f2920c8c9475d07ad11c28a6361ab70da5fa");
  }

  @Property
  void everyTextCounts(
      @ForAll @Size(11)
          List<@CharRange(from = 'd', to = 'w') @StringLength(min = 2, max = 8) String> texts,
      @ForAll @IntRange(max = 10) int index) {
    Parts parts = new Parts(texts);
    String changed = texts.get(index) + "x";
    assertThat(parts.with(index, changed).hash())
        .as(Parts.NAMES.get(index))
        .isNotEqualTo(parts.hash());
  }

  @Property
  void aLetterThatMovesToTheNextPartCounts(
      @ForAll @Size(11)
          List<@CharRange(from = 'd', to = 'w') @StringLength(min = 2, max = 8) String> texts,
      @ForAll @IntRange(max = 9) int index) {
    Parts parts = new Parts(texts);
    String left = texts.get(index);
    String moved = left.substring(left.length() - 1);
    Parts shifted =
        parts
            .with(index, left.substring(0, left.length() - 1))
            .with(index + 1, moved + texts.get(index + 1));
    assertThat(shifted.hash()).as(Parts.NAMES.get(index)).isNotEqualTo(parts.hash());
  }

  @Example
  void everyOtherPartCounts() {
    EventContext context = full().build().context();
    List<EventEnvelope> variants =
        List.of(
            full().build(),
            full(new UUID(1, 3), 2).build(),
            full(new UUID(2, 2), 2).build(),
            full(new UUID(1, 2), 3).build(),
            full().aggregate(new Aggregate("Order", "42", 8L)).build(),
            full().aggregate(new Aggregate("Order", "42", null)).build(),
            full().aggregate(null).build(),
            full().occurredAt(Instant.parse("2026-01-05T00:00:00.000002Z")).build(),
            full().occurredAt(Instant.parse("2026-01-05T00:00:01.000001Z")).build(),
            full().context(context.withTraceparent(TRACE.replace("-01", "-00"))).build(),
            full().context(context.withTraceparent(null)).build(),
            full().context(context.withCorrelationId(null)).build(),
            full().context(context.withCausationId(null)).build(),
            full().context(context.withTenant(null)).build(),
            full().context(context.withHeaders(Map.of("more", ""))).build(),
            full().dedupeKey(null).build(),
            full().payload("application/json", new byte[0]).build());
    assertThat(variants.stream().map(EnvelopeHashTest::hash)).doesNotHaveDuplicates();
  }

  @Example
  void theOrderInWhichHeadersWereGivenDoesNotCount() {
    Map<String, String> one = new LinkedHashMap<>();
    one.put("a", "1");
    one.put("b", "2");
    Map<String, String> other = new LinkedHashMap<>();
    other.put("b", "2");
    other.put("a", "1");
    assertThat(hash(bare().context(EventContext.none().withHeaders(one)).build()))
        .isEqualTo(hash(bare().context(EventContext.none().withHeaders(other)).build()));
  }

  @Example
  void nanosecondsThatNoDatabaseKeepsDoNotCount() {
    assertThat(hash(bare().occurredAt(Instant.ofEpochSecond(1, 1_999)).build()))
        .isEqualTo(hash(bare().occurredAt(Instant.ofEpochSecond(1, 1_000)).build()));
  }

  private static EventEnvelope.Builder full() {
    return full(new UUID(1, 2), 2);
  }

  private static EventEnvelope.Builder full(UUID id, int version) {
    return EventEnvelope.builder(id, new WireName("order.placed", version))
        .aggregate(new Aggregate("Order", "42", 7L))
        .occurredAt(Instant.parse("2026-01-05T00:00:00.000001Z"))
        .context(
            new EventContext("acme", "corr", "cause", TRACE, Map.of("a", "ä", "b", "\ud83d\ude00")))
        .dedupeKey("acme/42")
        .payload("application/json", "{\"total\":\"12.50 €\"}".getBytes(UTF_8));
  }

  private static EventEnvelope.Builder bare() {
    return EventEnvelope.builder(new UUID(0, 0), new WireName("a", 1))
        .occurredAt(Instant.EPOCH)
        .payload("b", new byte[0]);
  }

  private static String hash(EventEnvelope envelope) {
    return HexFormat.of().formatHex(envelope.sha256());
  }
}
