// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * The outbox cannot do its work: the tables do not fit, the database is not supported, a row cannot
 * be written. The message says what, which one, and what to do; it holds no payload.
 */
public final class OutboxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  OutboxException(String message) {
    super(message);
  }

  OutboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
