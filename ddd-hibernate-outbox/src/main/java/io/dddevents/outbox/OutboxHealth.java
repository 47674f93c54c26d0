// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a relay is, and why. For the health endpoint of whatever framework there is; of no framework
 * itself. Immutable.
 *
 * @param status the worst of all findings
 * @param reasons one sentence for each finding, the worst first; empty if all is well
 * @param lag the age of the oldest unpublished event; empty if the database did not answer
 * @param sinceLastPass how long ago the relay last went round
 * @param failuresPerMinute failed attempts of this relay within the last minute
 * @param lanes lanes that this relay holds
 */
public record OutboxHealth(
    Status status,
    List<String> reasons,
    Optional<Duration> lag,
    Duration sinceLastPass,
    long failuresPerMinute,
    int lanes) {

  /** What the clock and the back-off of the relay may take beyond three intervals. */
  private static final Duration GRACE = Duration.ofSeconds(6);

  /** In one word. */
  public enum Status {
    /** Events flow. */
    UP,
    /** Events flow or wait safely, and somebody should look: a restart does not help. */
    DEGRADED,
    /** This relay does not work. */
    DOWN
  }

  /** Copies the reasons. */
  public OutboxHealth {
    reasons = List.copyOf(reasons);
  }

  static OutboxHealth of(
      HealthLimits limits,
      Duration interval,
      RelayThreads.State state,
      RelayPulse pulse,
      OutboxMeasures.@Nullable Counts counts) {
    Duration sinceTurn = Duration.ofNanos(pulse.nanosSinceTurn());
    Duration silence = interval.multipliedBy(3).plus(GRACE);
    List<String> down = new ArrayList<>();
    List<String> degraded = new ArrayList<>();
    if (state.closed()) {
      down.add("the relay is closed");
    } else if (!state.started() && !pulse.hasTurned()) {
      down.add("the relay was not started");
    }
    if (state.databaseIsDown() || counts == null) {
      down.add("the database does not answer");
    }
    if (state.started() && !state.closed()) {
      judgeThreads(state, pulse, silence, down, degraded);
    }
    if (state.brokerIsDown()) {
      degraded.add("the broker cannot be reached; events wait");
    } else if (counts != null && !state.paused() && counts.stuck().compareTo(limits.stuck()) > 0) {
      down.add(
          "an event is stuck: it could be published for %d s, the limit is %d s"
              .formatted(counts.stuck().toSeconds(), limits.stuck().toSeconds()));
    }
    if (counts != null && counts.lag().compareTo(limits.lag()) > 0) {
      degraded.add(
          "the lag is %d s, the limit is %d s"
              .formatted(counts.lag().toSeconds(), limits.lag().toSeconds()));
    }
    long failures = pulse.failuresPerMinute();
    if (failures > limits.failuresPerMinute()) {
      degraded.add(
          "%d attempts failed within a minute, the limit is %d"
              .formatted(failures, limits.failuresPerMinute()));
    }
    Status status = down.isEmpty() ? degraded.isEmpty() ? Status.UP : Status.DEGRADED : Status.DOWN;
    down.addAll(degraded);
    return new OutboxHealth(
        status,
        down,
        Optional.ofNullable(counts).map(OutboxMeasures.Counts::lag),
        sinceTurn,
        failures,
        state.lanes());
  }

  private static void judgeThreads(
      RelayThreads.State state,
      RelayPulse pulse,
      Duration silence,
      List<String> down,
      List<String> degraded) {
    if (state.paused()) {
      degraded.add("the relay is paused");
    } else if (pulse.nanosSinceTurn() > silence.toNanos()) {
      down.add(
          "the last pass was %d s ago, the limit is %d s"
              .formatted(
                  Duration.ofNanos(pulse.nanosSinceTurn()).toSeconds(), silence.toSeconds()));
    }
    if (pulse.nanosSinceTick() > silence.toNanos()) {
      degraded.add(
          "the scheduler has not called for %d s; the relay works, but later"
              .formatted(Duration.ofNanos(pulse.nanosSinceTick()).toSeconds()));
    }
    if (state.lanes() == 0) {
      degraded.add(
          "the relay holds no lane: its lease ran out, or there are more relays than lanes");
    }
  }
}
