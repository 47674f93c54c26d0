// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.UUID;

/**
 * Tells that an event failed and needs an operator. It holds no payload, no headers and no error
 * text, so it can be sent anywhere.
 *
 * @param eventId the event
 * @param type its type
 * @param position its place in the outbox
 * @param attempt the attempt that failed, counted from 1
 * @param cause the cause code: UNROUTABLE, NACKED, REFUSED or INTEGRITY
 * @param relay who tried
 * @param blocks whether it holds back later events of its aggregate
 * @param kept where it is now
 */
public record FailedEvent(
    UUID eventId,
    String type,
    long position,
    int attempt,
    String cause,
    String relay,
    boolean blocks,
    Kept kept) {

  /** Where a Failed event is. */
  public enum Kept {
    /** In the Failed table, as it should be. */
    TABLE,
    /** In the failure file, because the table refused it. */
    FILE,
    /** Still in the outbox, because nothing else took it; it is tried again. */
    OUTBOX
  }
}
