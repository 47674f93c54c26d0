// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Raising domain events and describing them for the way out. Start at {@link
 * io.dddevents.AggregateRoot}; follow the line raise, capture, store, publish, consume through
 * {@link io.dddevents.RaisedEvent}, {@link io.dddevents.EventEnvelope}, {@link
 * io.dddevents.EventPublisher} and {@link io.dddevents.EventHandler}.
 *
 * <p>This package depends on nothing but the JDK and JSpecify's annotations.
 */
@NullMarked
package io.dddevents;

import org.jspecify.annotations.NullMarked;
