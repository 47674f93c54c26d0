// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * What a relay has done since it was made.
 *
 * @param sent events handed to the publisher, repetitions included
 * @param published events that the broker confirmed
 * @param acknowledged events that were ended in the outbox
 * @param refused attempts that the broker refused and that will be tried again
 * @param failed events that ended Failed
 * @param lostLanes lanes that another relay took because a lease had run out
 * @param lostAnswers answers that came, or acknowledgements that were tried, after the lane was
 *     lost
 */
public record RelayStatistics(
    long sent,
    long published,
    long acknowledged,
    long refused,
    long failed,
    long lostLanes,
    long lostAnswers) {}
