// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * How one publish ended.
 *
 * @param outcome what the broker, or we, said
 * @param detail for people: a code and a cause without secrets or payload; empty when confirmed
 */
public record PublishResult(Outcome outcome, String detail) {

  private static final PublishResult CONFIRMED = new PublishResult(Outcome.CONFIRMED, "");

  /** What happened to the event. */
  public enum Outcome {
    /** The broker has it, routed to at least one queue or marked as one that need not be. */
    CONFIRMED(false),
    /** The broker found no queue for it. */
    UNROUTABLE(false),
    /** The broker refused it. */
    NACKED(false),
    /** It breaks a limit of the protocol and was not sent. */
    REFUSED(false),
    /** No answer: connection lost, blocked, timed out. Says nothing about the event itself. */
    UNKNOWN(true);

    private final boolean outage;

    Outcome(boolean outage) {
      this.outage = outage;
    }

    /** Whether the cause lies with the broker or the way to it; an outage consumes no attempt. */
    public boolean isOutage() {
      return outage;
    }
  }

  /** The good result. */
  public static PublishResult confirmed() {
    return CONFIRMED;
  }
}
