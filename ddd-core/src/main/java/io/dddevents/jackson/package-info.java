// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.jackson. */
@NullMarked
package io.dddevents.jackson;

import org.jspecify.annotations.NullMarked;
