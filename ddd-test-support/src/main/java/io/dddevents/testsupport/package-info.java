// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** TODO io.dddevents.testsupport. */
@NullMarked
package io.dddevents.testsupport;

import org.jspecify.annotations.NullMarked;
