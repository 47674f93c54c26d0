// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.DomainEvent;
import io.dddevents.Wire;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Row B18 of the bad-input matrix: a time comes back as it went. */
final class TimesOnTheWireTest {

  record AtInstant(Instant at) implements DomainEvent {}

  record AtOffset(OffsetDateTime at) implements DomainEvent {}

  record AtZone(ZonedDateTime at) implements DomainEvent {}

  record AtLocal(LocalDateTime at, LocalDate on) implements DomainEvent {}

  record Lasted(Duration time) implements DomainEvent {}

  private static final Wire WIRE =
      Wire.of(AtInstant.class, AtOffset.class, AtZone.class, AtLocal.class, Lasted.class);

  @ParameterizedTest(name = "B18 {0}")
  @MethodSource
  void extremesComeBack(DomainEvent event) {
    assertThat(WIRE.roundTrip(event)).isEqualTo(event);
  }

  static Stream<DomainEvent> extremesComeBack() {
    return Stream.of(
        new AtInstant(Instant.MAX),
        new AtInstant(Instant.MIN),
        new AtInstant(Instant.EPOCH),
        new AtInstant(Instant.parse("-0001-01-01T00:00:00Z")),
        new AtInstant(Instant.parse("+10000-01-01T00:00:00.000000001Z")),
        new AtOffset(OffsetDateTime.MAX),
        new AtOffset(OffsetDateTime.MIN),
        new AtLocal(LocalDateTime.MAX, LocalDate.MIN),
        new AtLocal(LocalDateTime.of(-1, 1, 1, 0, 0), LocalDate.of(-1, 1, 1)),
        new Lasted(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
        new Lasted(Duration.ofSeconds(Long.MIN_VALUE)));
  }

  @Property(tries = 300)
  void everyInstantComesBackToTheNanosecond(
      @ForAll @LongRange(min = -31557014167219200L, max = 31556889864403199L) long second,
      @ForAll @IntRange(max = 999_999_999) int nano) {
    AtInstant event = new AtInstant(Instant.ofEpochSecond(second, nano));
    assertThat(WIRE.roundTrip(event)).isEqualTo(event);
  }

  @Property(tries = 300)
  void everyOffsetComesBackAsItself(
      @ForAll @LongRange(min = -100_000_000_000L, max = 300_000_000_000L) long second,
      @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int minutes) {
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(minutes * 60);
    AtOffset event = new AtOffset(Instant.ofEpochSecond(second).atOffset(offset));
    assertThat(WIRE.roundTrip(event)).isEqualTo(event);
  }

  @Property(tries = 300)
  void aZoneTravelsAsItsOffset(
      @ForAll @LongRange(min = -2_000_000_000L, max = 4_000_000_000L) long second) {
    ZonedDateTime at = Instant.ofEpochSecond(second).atZone(ZoneId.of("Europe/Berlin"));
    AtZone back = (AtZone) WIRE.roundTrip(new AtZone(at));
    assertThat(back.at().toOffsetDateTime()).isEqualTo(at.toOffsetDateTime());
    assertThat(back.at().getOffset()).isEqualTo(at.getOffset());
  }
}
