// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.outbox. */
@NullMarked
package io.dddevents.outbox;

import org.jspecify.annotations.NullMarked;
