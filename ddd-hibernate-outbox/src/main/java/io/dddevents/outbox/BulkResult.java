// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * What an action on many events did.
 *
 * @param done how many events it changed
 * @param stopped whether it ended early, because the progress listener or an interrupt said so
 */
public record BulkResult(long done, boolean stopped) {}
