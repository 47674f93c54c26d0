// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Assertions on the events that an aggregate has raised, without a database or a broker. Start at
 * {@link io.dddevents.testkit.EventAssertions}.
 */
@NullMarked
package io.dddevents.testkit;

import org.jspecify.annotations.NullMarked;
