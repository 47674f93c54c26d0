// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/** Domain events on RabbitMQ: published with confirms, consumed once. */
@NullMarked
package io.dddevents.rabbit;

import org.jspecify.annotations.NullMarked;
