// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

/** What a publisher does about its exchange when it connects. None of these ever deletes. */
public enum RabbitTopology {
  /**
   * Declares it: a durable topic exchange. One that exists and differs is reported and left as it
   * is; the publisher does not connect until the difference is gone.
   */
  DECLARE,
  /** Only checks that it exists; needs no right to configure. */
  CHECK,
  /** Does nothing; a missing exchange shows with the first publish. */
  NONE
}
