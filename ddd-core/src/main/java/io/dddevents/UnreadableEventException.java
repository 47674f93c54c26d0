// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * A stored or received event cannot be turned back into an object. Retrying does not help: a
 * consumer parks such a message with the {@link #reason()}.
 */
public final class UnreadableEventException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why the event cannot be read. */
  public enum Reason {
    /** No class is registered for the type; none was looked up. */
    UNKNOWN_TYPE,
    /** The type is known, but not in this version, and no upcaster leads to a known one. */
    UNSUPPORTED_VERSION,
    /** The content type is not the serializer's. */
    CONTENT_TYPE,
    /** The payload is larger than the limit. */
    TOO_LARGE,
    /** The payload is not what the type demands. */
    BAD_PAYLOAD,
    /** The envelope breaks a limit or lacks a part. */
    BAD_ENVELOPE
  }

  private final Reason reason;

  /** With a reason for machines and a message for people. */
  public UnreadableEventException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** With a reason for machines, a message for people, and the cause. */
  public UnreadableEventException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why the event cannot be read. */
  public Reason reason() {
    return reason;
  }
}
