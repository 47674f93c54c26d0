// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message in the parking queue, without its body.
 *
 * @param id names it for {@link ParkedMessages}; not the event's id
 * @param reason why it was parked
 * @param detail what was wrong, in words; quotes nothing of the message
 * @param messageId the event's id, if it has one that can be shown
 * @param type the event's type, if it has one that can be shown
 * @param error the class of the last failure, if a handler failed
 * @param attempts how often the handler ran
 * @param firstFailure when the first attempt failed
 * @param parkedAt when it was parked, by our clock; unknown if the broker parked it
 * @param exchange to which exchange it was published
 * @param routingKey with which routing key
 * @param bodyBytes the size of its body
 * @param complete whether all we need of it could be kept; otherwise it cannot be retried
 */
public record ParkedMessage(
    String id,
    ParkReason reason,
    String detail,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String error,
    int attempts,
    @Nullable Instant firstFailure,
    @Nullable Instant parkedAt,
    @Nullable String exchange,
    @Nullable String routingKey,
    int bodyBytes,
    boolean complete) {}
