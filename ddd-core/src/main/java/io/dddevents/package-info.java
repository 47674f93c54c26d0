// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents. */
@NullMarked
package io.dddevents;

import org.jspecify.annotations.NullMarked;
