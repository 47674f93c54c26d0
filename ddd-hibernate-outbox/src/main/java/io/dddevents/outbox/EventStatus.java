// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/** Where an event stands. */
public enum EventStatus {
  /** In the outbox, not read by a relay yet, or waiting for its next attempt. */
  PENDING,
  /** A relay has read it for publishing. */
  PROCESSING,
  /** The broker has confirmed it; kept in the archive for the retention time. */
  PROCESSED,
  /** It ended Failed and waits for an operator. */
  FAILED,
  /** An operator gave it up; kept in the archive with the reason. */
  DISCARDED
}
