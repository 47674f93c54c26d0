// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * Remembers, in the consumer's own database, which messages a consumer has handled. Asked first, in
 * the transaction in which the handler runs: if that transaction rolls back, so does the memory.
 */
public interface Inbox {

  /**
   * Records the message for the consumer. Two transactions with the same message exclude each
   * other: the second waits for the first and then gets {@link Receipt#DUPLICATE}, or {@link
   * Receipt#FIRST} if the first rolled back.
   *
   * @param consumer the name of the consumer; several consumers handle the same message each once
   * @param messageId the message's identity, at most 64 bytes
   * @param sha256 the hash of the message
   */
  Receipt receive(String consumer, String messageId, byte[] sha256);

  /** What the inbox says about a message. */
  enum Receipt {
    /** Not seen before: handle it. */
    FIRST,
    /** Handled before: drop it. */
    DUPLICATE,
    /** The id was handled before with another content: park it, and raise an alarm. */
    CONFLICT
  }
}
