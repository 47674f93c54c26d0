// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * When a failed attempt is tried again, and when no more. Pure: the randomness is handed in.
 * Attempts are counted from 1, the first try included. Immutable and comparable by value.
 *
 * @param backoff how long to wait after a failed attempt
 * @param maxAttempts attempts in all; empty means for ever
 */
public record RetryPolicy(Backoff backoff, OptionalInt maxAttempts) {

  /** Refuses a number of attempts below 1. */
  public RetryPolicy {
    maxAttempts.ifPresent(
        attempts -> require(attempts >= 1, "attempts must be at least 1, was " + attempts));
  }

  /** Exponential from 1 s to 5 min with jitter, 5 attempts. */
  public static RetryPolicy defaults() {
    return exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 5);
  }

  /**
   * Doubles from {@code base} up to {@code max}; the delay is drawn evenly from its upper half, so
   * that many events that failed together do not come back together.
   */
  public static RetryPolicy exponential(Duration base, Duration max, int attempts) {
    return new RetryPolicy(new Exponential(base, max, true), OptionalInt.of(attempts));
  }

  /** Doubles from {@code base}, at most a day, without jitter; for ever until told otherwise. */
  public static RetryPolicy doubling(Duration base) {
    return new RetryPolicy(new Exponential(base, Duration.ofDays(1), false), OptionalInt.empty());
  }

  /** The same delay after every attempt. */
  public static RetryPolicy fixed(Duration delay, int attempts) {
    return new RetryPolicy(new Schedule(List.of(Duration.ZERO, delay)), OptionalInt.of(attempts));
  }

  /**
   * Explicit delays: the first is the one before attempt 1, the second the one before attempt 2,
   * and so on; the last is repeated. For ever until told otherwise.
   */
  public static RetryPolicy schedule(Duration... delays) {
    return new RetryPolicy(new Schedule(Arrays.asList(delays)), OptionalInt.empty());
  }

  /** This policy with a number of attempts. */
  public RetryPolicy attempts(int attempts) {
    return new RetryPolicy(backoff, OptionalInt.of(attempts));
  }

  /** This policy without an end. */
  public RetryPolicy forever() {
    return new RetryPolicy(backoff, OptionalInt.empty());
  }

  /**
   * How long to wait after the given attempt has failed; empty if it was the last.
   *
   * @param attempt the attempt that failed, counted from 1
   */
  public Optional<Duration> delayAfter(int attempt, RandomGenerator random) {
    require(attempt >= 1, "attempt must be at least 1, was " + attempt);
    if (maxAttempts.isPresent() && attempt >= maxAttempts.getAsInt()) {
      return Optional.empty();
    }
    return Optional.of(backoff.delayAfter(attempt, random));
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private static void requireDelay(Duration delay, String name) {
    require(!delay.isNegative(), name + " must not be negative, was " + delay);
    require(
        delay.compareTo(Duration.ofDays(365)) <= 0, name + " must be at most a year, was " + delay);
  }

  /** How long to wait after a failed attempt. */
  public sealed interface Backoff permits Exponential, Schedule {

    /** The delay after the given attempt, counted from 1. */
    Duration delayAfter(int attempt, RandomGenerator random);
  }

  /**
   * {@code min(base * 2^(attempt - 1), max)}, with jitter a random value from half of that to all
   * of it.
   *
   * @param base the delay after the first attempt
   * @param max the longest delay
   * @param jitter whether to draw from the upper half
   */
  public record Exponential(Duration base, Duration max, boolean jitter) implements Backoff {

    /** Refuses delays that are not positive or the wrong way round. */
    public Exponential {
      requireDelay(base, "base");
      requireDelay(max, "max");
      require(!base.isZero(), "base must be longer than zero");
      require(
          base.compareTo(max) <= 0,
          "base (" + base + ") must not be longer than max (" + max + ")");
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      Duration delay = base;
      for (int i = 1; i < attempt && delay.compareTo(max) < 0; i++) {
        delay = delay.multipliedBy(2);
      }
      if (delay.compareTo(max) > 0) {
        delay = max;
      }
      if (!jitter) {
        return delay;
      }
      long nanos = delay.toNanos();
      return Duration.ofNanos(random.nextLong(nanos - nanos / 2, nanos + 1));
    }
  }

  /**
   * A list of delays.
   *
   * @param delays before attempt 1, before attempt 2, …; the last is repeated
   */
  public record Schedule(List<Duration> delays) implements Backoff {

    /** Refuses an empty list and negative delays. */
    public Schedule {
      delays = List.copyOf(delays);
      require(!delays.isEmpty(), "a schedule needs at least one delay");
      delays.forEach(delay -> requireDelay(delay, "delay"));
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return delays.get(Math.min(attempt, delays.size() - 1));
    }
  }
}
