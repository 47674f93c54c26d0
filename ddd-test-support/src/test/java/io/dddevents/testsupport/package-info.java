// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A smoke test for each verb of each fixture: a fixture that lies makes every test above it lie.
 */
@NullMarked
package io.dddevents.testsupport;

import org.jspecify.annotations.NullMarked;
