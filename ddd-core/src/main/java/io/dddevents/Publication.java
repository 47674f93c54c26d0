// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * One attempt to publish one event. What is not part of the event, and therefore not of its hash,
 * travels beside it so that a duplicate can be explained.
 *
 * @param envelope the event
 * @param position its place in the outbox; grows with every later event of the same aggregate
 * @param attempt counted from 1
 * @param relay who publishes
 */
public record Publication(EventEnvelope envelope, long position, int attempt, String relay) {

  /** Refuses an attempt below 1. */
  public Publication {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt must be at least 1, was " + attempt);
    }
  }
}
