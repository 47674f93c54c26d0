// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * An event cannot be taken as it is. The message says what is wrong, with which event, and what to
 * do; it never holds the event's content. Thrown inside the business transaction, which must fail
 * rather than lose the event.
 */
public final class EventRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With what, which one, and what to do. */
  public EventRefusedException(String message) {
    super(message);
  }

  /** With what, which one, what to do, and the cause. */
  public EventRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
