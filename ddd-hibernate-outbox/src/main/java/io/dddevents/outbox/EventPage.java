// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.List;
import java.util.OptionalLong;

/**
 * Some events in the order of their positions.
 *
 * @param events the events
 * @param next after which position the next page begins; empty at the end
 */
public record EventPage(List<EventSummary> events, OptionalLong next) {

  /** Copies the list. */
  public EventPage {
    events = List.copyOf(events);
  }
}
