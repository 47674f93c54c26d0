// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** Events as JSON, by Jackson 3. Start at {@link io.dddevents.jackson.JacksonEventSerializer}. */
@NullMarked
package io.dddevents.jackson;

import org.jspecify.annotations.NullMarked;
