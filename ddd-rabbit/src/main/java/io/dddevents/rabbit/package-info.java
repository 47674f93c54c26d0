// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.rabbit. */
@NullMarked
package io.dddevents.rabbit;

import org.jspecify.annotations.NullMarked;
