// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import org.jspecify.annotations.Nullable;

/**
 * Which aggregate an event belongs to. Events of one aggregate keep their order on the way out.
 *
 * @param type the JPA entity name, for example {@code Order}
 * @param id the id in its canonical text form
 * @param version the aggregate's version after the change, if it has one
 */
public record Aggregate(String type, String id, @Nullable Long version) {

  /** Refuses blank, overlong or ill-formed names. */
  public Aggregate {
    Text.requireText("aggregate type", type, EventLimits.AGGREGATE_TYPE_BYTES);
    Text.requireText("aggregate id", id, EventLimits.AGGREGATE_ID_BYTES);
    if (version != null && version < 0) {
      throw new EventRefusedException(
          "aggregate version of "
              + Text.quoted(type)
              + " is "
              + version
              + "; it must not be negative");
    }
  }

  /** Type and id, fit for a log line: line breaks and other control characters are escaped. */
  @Override
  public String toString() {
    return Text.quoted(type) + " " + Text.quoted(id);
  }
}
