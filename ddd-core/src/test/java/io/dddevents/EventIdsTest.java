// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class EventIdsTest {

  private static final int THREADS = 8;
  private static final int EACH = 100_000;
  private static final long NOW = 1_800_000_000_000L;

  @Property
  void everyIdIsAVersion7UuidOfItsMillisecond(
      @ForAll @LongRange(min = 1, max = (1L << 47) - 1) long millis, @ForAll long key) {
    UUID id = new EventIds(() -> millis, key).nextId();
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(millisOf(id)).isEqualTo(millis);
  }

  @Property
  void idsIncreaseWhateverTheClockDoes(
      @ForAll @Size(min = 2, max = 50) List<@LongRange(min = 0, max = 5) Long> readings,
      @ForAll long key) {
    AtomicLong reading = new AtomicLong();
    EventIds ids = new EventIds(() -> NOW + readings.get((int) reading.getAndIncrement()), key);
    List<UUID> made = Stream.generate(ids::nextId).limit(readings.size()).toList();
    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void idsIncreaseWhenTheClockStepsBackADay() {
    AtomicLong clock = new AtomicLong(NOW);
    EventIds ids = new EventIds(clock::get, 1);
    UUID before = ids.nextId();
    clock.addAndGet(-86_400_000);
    assertThat(ids.nextId()).isGreaterThan(before);
  }

  @Test
  void moreThan4096IdsInAMillisecondBorrowFromTheNext() {
    AtomicLong clock = new AtomicLong(NOW);
    EventIds ids = new EventIds(clock::get, 1);
    List<UUID> made = Stream.generate(ids::nextId).limit(10_000).toList();
    assertThat(made).isSorted().doesNotHaveDuplicates();
    assertThat(millisOf(made.get(4095))).isEqualTo(NOW);
    assertThat(millisOf(made.get(4096))).isEqualTo(NOW + 1);
    assertThat(millisOf(made.get(9999))).isEqualTo(NOW + 2);
    clock.addAndGet(10);
    assertThat(millisOf(ids.nextId())).isEqualTo(NOW + 10);
  }

  @Test
  void idsOfTwoGeneratorsDifferInTheSameMillisecond() {
    Set<UUID> all = new HashSet<>();
    for (long key = 0; key < 50; key++) {
      EventIds ids = new EventIds(() -> NOW, key);
      Stream.generate(ids::nextId).limit(4096).forEach(all::add);
    }
    assertThat(all).hasSize(50 * 4096);
  }

  @Test
  void idsIncreaseInEveryThreadAndNoneIsMadeTwice() throws Exception {
    EventIds ids = new EventIds(Clock.systemUTC()::millis, 1);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<long[]> work =
          () -> {
            long[] made = new long[EACH];
            for (int i = 0; i < EACH; i++) {
              made[i] = ids.nextId().getMostSignificantBits();
            }
            return made;
          };
      List<long[]> all = new ArrayList<>();
      for (Future<long[]> made : threads.invokeAll(Collections.nCopies(THREADS, work))) {
        all.add(made.get());
      }
      assertThat(all).allMatch(EventIdsTest::strictlyIncreases);
      long[] together = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      assertThat(together).hasSize(THREADS * EACH);
      assertThat(strictlyIncreases(together)).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theIdsOfThisJvmAreOfNow() {
    long before = Clock.systemUTC().millis();
    UUID first = EventIds.next();
    UUID second = EventIds.next();
    assertThat(second).isGreaterThan(first);
    assertThat(millisOf(first)).isBetween(before, before + 60_000);
  }

  private static boolean strictlyIncreases(long[] values) {
    for (int i = 1; i < values.length; i++) {
      if (values[i - 1] >= values[i]) {
        return false;
      }
    }
    return true;
  }

  private static long millisOf(UUID id) {
    return id.getMostSignificantBits() >>> 16;
  }
}
