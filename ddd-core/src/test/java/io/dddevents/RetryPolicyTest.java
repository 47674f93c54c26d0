// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class RetryPolicyTest {

  private static final long YEAR = Duration.ofDays(365).toNanos();

  /** Draws the smallest value that is asked for. */
  private static final RandomGenerator LOWEST = () -> 0L;

  @Property
  void document001DelayLiesInTheUpperHalfOfTheClampedPower(
      @ForAll @LongRange(min = 1, max = 31536000000000000L) long base,
      @ForAll @LongRange(min = 1, max = 31536000000000000L) long max,
      @ForAll("attempts") int attempt,
      @ForAll long seed) {
    Assume.that(base <= max && attempt < Integer.MAX_VALUE);
    BigInteger clamped =
        BigInteger.valueOf(base).shiftLeft(Math.min(attempt - 1, 100)).min(BigInteger.valueOf(max));
    long drawn =
        exponential(base, max, Integer.MAX_VALUE)
            .delayAfter(attempt, new Random(seed))
            .orElseThrow()
            .toNanos();
    assertThat(BigInteger.valueOf(drawn)).isLessThanOrEqualTo(clamped);
    assertThat(BigInteger.valueOf(drawn).shiftLeft(1)).isGreaterThanOrEqualTo(clamped);
  }

  @Example
  void document001DrawsEvenlyFromHalfToAll() {
    RetryPolicy policy = exponential(8, 8, 2);
    Random random = new Random(1);
    long[] seen = new long[9];
    for (int i = 0; i < 5000; i++) {
      seen[(int) policy.delayAfter(1, random).orElseThrow().toNanos()]++;
    }
    assertThat(LongStream.of(seen).limit(4)).containsOnly(0L);
    assertThat(LongStream.of(seen).skip(4)).hasSize(5).allMatch(n -> n > 850 && n < 1150);
  }

  @Property
  void theDelayGrowsUntilItStays(
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long base,
      @ForAll @IntRange(min = 1, max = 80) int attempt) {
    RetryPolicy policy = RetryPolicy.doubling(Duration.ofNanos(base));
    Duration delay = delay(policy, attempt);
    Duration next = delay(policy, attempt + 1);
    assertThat(next).isGreaterThanOrEqualTo(delay).isLessThanOrEqualTo(Duration.ofDays(1));
    assertThat(next.equals(delay.multipliedBy(2)) || next.equals(Duration.ofDays(1))).isTrue();
  }

  @Property
  void noAttemptOverflows(@ForAll("attempts") int attempt, @ForAll("policies") RetryPolicy policy) {
    Duration delay = policy.forever().delayAfter(attempt, LOWEST).orElseThrow();
    assertThat(delay).isBetween(Duration.ZERO, Duration.ofDays(365));
  }

  @Property
  void itEndsExactlyAtTheLastAttempt(
      @ForAll("policies") RetryPolicy policy,
      @ForAll @IntRange(min = 1) int attempts,
      @ForAll("attempts") int attempt) {
    Optional<Duration> delay = policy.attempts(attempts).delayAfter(attempt, LOWEST);
    assertThat(delay.isEmpty()).isEqualTo(attempt >= attempts);
    assertThat(policy.attempts(attempts).delayAfter(attempts, LOWEST)).isEmpty();
    if (attempts > 1) {
      assertThat(policy.attempts(attempts).delayAfter(attempts - 1, LOWEST)).isPresent();
    }
  }

  @Example
  void document000Waits10SecondsAfterEachOf3Attempts() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(10), 3);
    assertThat(delays(policy, 3)).containsExactly("PT10S", "PT10S", "end");
  }

  @Example
  void document002FollowsItsScheduleAndStaysAt15MinutesForever() {
    Duration[] schedule =
        LongStream.of(0, 1, 2, 5, 15, 60, 300, 900)
            .mapToObj(Duration::ofSeconds)
            .toArray(Duration[]::new);
    RetryPolicy policy = RetryPolicy.schedule(schedule).forever();
    assertThat(delays(policy, 9))
        .containsExactly(
            "PT1S", "PT2S", "PT5S", "PT15S", "PT1M", "PT5M", "PT15M", "PT15M", "PT15M");
    assertThat(delay(policy, Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(15));
  }

  @Example
  void document003Doubles100MillisecondsAndEndsAfter5Attempts() {
    RetryPolicy policy = RetryPolicy.doubling(Duration.ofMillis(100)).attempts(5);
    assertThat(delays(policy, 5)).containsExactly("PT0.1S", "PT0.2S", "PT0.4S", "PT0.8S", "end");
  }

  @Example
  void document004Doubles30Seconds() {
    RetryPolicy policy = RetryPolicy.doubling(Duration.ofSeconds(30));
    assertThat(delays(policy, 4)).containsExactly("PT30S", "PT1M", "PT2M", "PT4M");
    assertThat(delay(policy, Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
  }

  @Example
  void theDefaultIsOneSecondTo5MinutesWithJitterIn5Attempts() {
    assertThat(RetryPolicy.defaults())
        .isEqualTo(RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 5));
    assertThat(RetryPolicy.defaults().delayAfter(5, LOWEST)).isEmpty();
  }

  @Example
  void aScheduleIsCopied() {
    Duration[] delays = {Duration.ZERO, Duration.ofSeconds(1)};
    RetryPolicy policy = RetryPolicy.schedule(delays);
    delays[1] = Duration.ofDays(1);
    assertThat(delay(policy, 1)).isEqualTo(Duration.ofSeconds(1));
  }

  @Example
  void wrongSettingsAreRefusedByNameAndValue() {
    Duration second = Duration.ofSeconds(1);
    Duration minute = Duration.ofMinutes(1);
    refused(() -> RetryPolicy.exponential(minute, second, 5), "base (PT1M)", "max (PT1S)");
    refused(() -> RetryPolicy.doubling(Duration.ofDays(2)), "base (PT48H)", "max (PT24H)");
    refused(() -> RetryPolicy.exponential(Duration.ZERO, second, 5), "base", "zero");
    refused(() -> RetryPolicy.exponential(second.negated(), second, 5), "base", "PT-1S");
    refused(() -> RetryPolicy.exponential(second, Duration.ofDays(366), 5), "max", "PT8784H");
    refused(() -> RetryPolicy.exponential(second, Duration.ofSeconds(Long.MAX_VALUE), 5), "max");
    refused(() -> RetryPolicy.exponential(second, minute, 0), "attempts", "0");
    refused(() -> RetryPolicy.fixed(second.negated(), 5), "delay", "PT-1S");
    refused(() -> RetryPolicy.fixed(second, -1), "attempts", "-1");
    refused(RetryPolicy::schedule, "at least one delay");
    refused(() -> RetryPolicy.schedule(second, second.negated()), "delay", "PT-1S");
    refused(() -> RetryPolicy.defaults().attempts(0), "attempts", "0");
  }

  @Property
  void anAttemptIsCountedFromOne(@ForAll @IntRange(min = Integer.MIN_VALUE, max = 0) int attempt) {
    refused(() -> RetryPolicy.defaults().delayAfter(attempt, LOWEST), "attempt", "" + attempt);
  }

  @Provide
  Arbitrary<Integer> attempts() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1, 70),
        Arbitraries.integers().between(1, Integer.MAX_VALUE),
        Arbitraries.of(Integer.MAX_VALUE - 1, Integer.MAX_VALUE));
  }

  @Provide
  Arbitrary<RetryPolicy> policies() {
    return Arbitraries.of(
        RetryPolicy.defaults(),
        exponential(1, 1, 5),
        exponential(1, YEAR, 5),
        exponential(YEAR, YEAR, 5),
        RetryPolicy.doubling(Duration.ofNanos(1)),
        RetryPolicy.fixed(Duration.ZERO, 3),
        RetryPolicy.schedule(Duration.ofSeconds(1)),
        RetryPolicy.schedule(Duration.ZERO, Duration.ofSeconds(1)));
  }

  private static RetryPolicy exponential(long base, long max, int attempts) {
    return RetryPolicy.exponential(Duration.ofNanos(base), Duration.ofNanos(max), attempts);
  }

  private static Duration delay(RetryPolicy policy, int attempt) {
    return policy.delayAfter(attempt, LOWEST).orElseThrow();
  }

  private static List<String> delays(RetryPolicy policy, int attempts) {
    return IntStream.rangeClosed(1, attempts)
        .mapToObj(attempt -> policy.delayAfter(attempt, LOWEST).map(Duration::toString))
        .map(delay -> delay.orElse("end"))
        .toList();
  }

  private static void refused(Runnable attempt, String... named) {
    assertThatIllegalArgumentException().isThrownBy(attempt::run).withMessageContainingAll(named);
  }
}
