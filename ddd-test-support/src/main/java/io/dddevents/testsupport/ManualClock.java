// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;

/**
 * A clock that stands still until a test moves it, forwards or backwards.
 *
 * <p>Safe for many threads. A clock from {@link #withZone} shows the same moving instant.
 */
public final class ManualClock extends Clock {
  private final Hand hand;
  private final ZoneId zone;

  /** A clock in UTC that stands at the given instant. */
  public ManualClock(Instant start) {
    this(new Hand(requireNonNull(start, "start")), ZoneOffset.UTC);
  }

  private ManualClock(Hand hand, ZoneId zone) {
    this.hand = hand;
    this.zone = zone;
  }

  /** A clock in UTC at a fixed, unremarkable instant, for tests that only compare. */
  public static ManualClock create() {
    return new ManualClock(Instant.parse("2026-01-02T03:04:05Z"));
  }

  /** Jumps to the instant, which may lie in the past. */
  public void set(Instant instant) {
    requireNonNull(instant, "instant");
    hand.move(before -> instant);
  }

  /** Moves by the duration, which may be negative, and returns the new instant. */
  public Instant advance(Duration duration) {
    return hand.move(before -> before.plus(duration));
  }

  @Override
  public Instant instant() {
    return hand.move(before -> before);
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new ManualClock(hand, other);
  }

  private static final class Hand {
    private Instant now;

    Hand(Instant now) {
      this.now = now;
    }

    synchronized Instant move(UnaryOperator<Instant> step) {
      now = step.apply(now);
      return now;
    }
  }
}
