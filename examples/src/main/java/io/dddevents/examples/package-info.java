// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** Runnable examples. Start at {@link io.dddevents.examples.Shop}. */
@NullMarked
package io.dddevents.examples;

import org.jspecify.annotations.NullMarked;
