// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Instant;

/**
 * Failed events that have cause and type in common.
 *
 * @param cause the cause code
 * @param type the event type
 * @param count how many
 * @param firstFailedAt when the first of them failed
 * @param lastFailedAt when the last of them failed
 */
public record FailureGroup(
    String cause, String type, long count, Instant firstFailedAt, Instant lastFailedAt) {}
