// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.examples. */
@NullMarked
package io.dddevents.examples;

import org.jspecify.annotations.NullMarked;
