// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * What a replay did.
 *
 * @param confirmed events that the publisher confirmed
 * @param refused events that it answered otherwise; the audit table does not list them
 * @param damaged events in the archive that no longer match their hash, and were not published
 * @param lastPosition the position of the last event that was looked at; 0 if none was
 * @param stopped whether it ended early: by the progress listener, by an interrupt, or because the
 *     publisher could not say what became of an event
 */
public record ReplayResult(
    long confirmed, long refused, long damaged, long lastPosition, boolean stopped) {}
