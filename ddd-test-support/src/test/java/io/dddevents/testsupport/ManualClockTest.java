// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ManualClockTest {
  private final Instant start = Instant.parse("2026-03-04T05:06:07Z");
  private final ManualClock clock = new ManualClock(start);

  @Test
  void standsStillUntilMoved() {
    assertThat(clock.instant()).isEqualTo(start);
    assertThat(clock.advance(Duration.ofSeconds(3))).isEqualTo(start.plusSeconds(3));
    assertThat(clock.instant()).isEqualTo(start.plusSeconds(3));
    assertThat(clock.advance(Duration.ofSeconds(-5))).isEqualTo(start.minusSeconds(2));
  }

  @Test
  void canBeSetToThePast() {
    clock.set(Instant.EPOCH);
    assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void aClockInAnotherZoneMovesAlong() {
    Clock tokyo = clock.withZone(ZoneId.of("Asia/Tokyo"));
    clock.advance(Duration.ofHours(1));
    assertThat(tokyo.instant()).isEqualTo(start.plusSeconds(3600));
    assertThat(tokyo.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
  }

  @Test
  void losesNoStepOfManyThreads() {
    IntStream.range(0, 10_000).parallel().forEach(i -> clock.advance(Duration.ofMillis(1)));
    assertThat(clock.instant()).isEqualTo(start.plusSeconds(10));
  }
}
