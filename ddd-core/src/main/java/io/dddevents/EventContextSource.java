// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * Supplies context from elsewhere, for example the trace of an OpenTelemetry span or the tenant of
 * a request. Implementations are named in {@code
 * META-INF/services/io.dddevents.EventContextSource}, are asked on the thread that raises, for
 * every event, and must be quick and safe for many threads. An exception reaches the caller of
 * {@code raise}.
 */
@FunctionalInterface
public interface EventContextSource {

  /** What this source knows now; {@link EventContext#none()} if nothing. */
  EventContext current();
}
