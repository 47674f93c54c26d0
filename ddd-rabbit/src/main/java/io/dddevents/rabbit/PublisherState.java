// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.time.Instant;

/**
 * How a publisher stands with its broker, for health checks.
 *
 * @param status the state
 * @param since when it began
 * @param cause why, without secrets; empty when there is nothing to explain
 */
public record PublisherState(Status status, Instant since, String cause) {

  /** The states of a publisher. */
  public enum Status {
    /** There is no connection; one is being tried again and again. Publishing gives UNKNOWN. */
    CONNECTING,
    /** There is a connection with a confirming channel. */
    CONNECTED,
    /** The broker takes no messages because of an alarm. Publishing gives UNKNOWN at once. */
    BLOCKED,
    /** It was closed, for good. */
    CLOSED
  }
}
