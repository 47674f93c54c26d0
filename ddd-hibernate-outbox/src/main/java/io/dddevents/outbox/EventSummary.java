// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as a list shows it: everything but payload and headers.
 *
 * @param position its place in the outbox
 * @param eventId its id
 * @param status where it stands
 * @param tenant its tenant, if any
 * @param aggregateType its aggregate's type, if any
 * @param aggregateId its aggregate's id, if any
 * @param type its type
 * @param version its type's version
 * @param occurredAt when it happened
 * @param createdAt when it was stored
 * @param attempts how many attempts there were
 * @param cause why it failed, if it did
 * @param error the last error, or the reason of a discard
 * @param nextAttemptAt when the next attempt is due, if one is put off
 * @param endedAt when it was processed, failed or was discarded, if it was
 */
public record EventSummary(
    long position,
    UUID eventId,
    EventStatus status,
    @Nullable String tenant,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    String type,
    int version,
    Instant occurredAt,
    Instant createdAt,
    int attempts,
    @Nullable String cause,
    @Nullable String error,
    @Nullable Instant nextAttemptAt,
    @Nullable Instant endedAt) {}
