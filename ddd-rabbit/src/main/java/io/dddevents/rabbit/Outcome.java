// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

/** How one attempt ended. */
sealed interface Outcome {

  /** Committed. */
  record Handled() implements Outcome {}

  /** Handled before. */
  record Duplicate() implements Outcome {}

  /** No retry can help. */
  record Refused(RefusedDelivery why) implements Outcome {}

  /** The handler or its commit failed; counts. */
  record Failed(Throwable error) implements Outcome {}

  /** The transaction could not begin, or the database seems to be gone; does not count. */
  record Outage(Throwable error) implements Outcome {}
}
