// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Real servers, faults and guards for our own tests. Start at {@link
 * io.dddevents.testsupport.Database} and {@link io.dddevents.testsupport.RabbitNode}.
 *
 * <p>Everything that is started here ends with the JVM that started it, however that JVM ends, and
 * nothing here touches a server that it did not start.
 */
@NullMarked
package io.dddevents.testsupport;

import org.jspecify.annotations.NullMarked;
