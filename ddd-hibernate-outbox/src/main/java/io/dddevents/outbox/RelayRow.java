// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventEnvelope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox as the relay read it.
 *
 * @param id its position
 * @param lane its lane
 * @param epoch the epoch in which this relay owned the lane when it read the row
 * @param eventId the event's id
 * @param type the event's type
 * @param aggregate what its order depends on: the aggregate, or the event itself if it has none
 * @param envelope the event; null if the row is damaged
 * @param damage what is wrong with the row; null if nothing is
 * @param attempts how many attempts have failed
 * @param waitMicros how long until the next attempt is due; 0 if it is
 */
record RelayRow(
    long id,
    int lane,
    long epoch,
    UUID eventId,
    String type,
    String aggregate,
    @Nullable EventEnvelope envelope,
    @Nullable String damage,
    int attempts,
    long waitMicros) {}
