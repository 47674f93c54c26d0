// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.testkit. */
@NullMarked
package io.dddevents.testkit;

import org.jspecify.annotations.NullMarked;
