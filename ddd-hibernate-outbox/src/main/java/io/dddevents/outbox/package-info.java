// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Captures the events of aggregates when Hibernate flushes them and stores them in the outbox, in
 * the same transaction. It works by being on the class path; the settings are in {@link
 * io.dddevents.outbox.OutboxSettings}. To read the code, start at {@link
 * io.dddevents.outbox.OutboxIntegrator} and follow it to {@code CaptureListeners}, {@code Capture}
 * and {@code OutboxStore}.
 */
@NullMarked
package io.dddevents.outbox;

import org.jspecify.annotations.NullMarked;
