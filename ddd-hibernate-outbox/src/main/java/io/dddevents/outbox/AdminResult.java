// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.UUID;

/**
 * What became of an operator's action on one event. Whatever it says also stands in the audit
 * table.
 *
 * @param eventId the event
 * @param outcome what happened
 */
public record AdminResult(UUID eventId, Outcome outcome) {

  /** How an action ended. Only {@link #DONE} changed anything. */
  public enum Outcome {
    /** It is done. */
    DONE,
    /** There is no such event; it may have been purged. */
    NOT_FOUND,
    /** The event is not Failed, so there is nothing to decide. */
    NOT_FAILED,
    /** Another operator has retried it before. */
    ALREADY_RETRIED,
    /** Another operator has discarded it before. */
    ALREADY_DISCARDED
  }

  /** Whether the action changed the event. */
  public boolean isDone() {
    return outcome == Outcome.DONE;
  }
}
