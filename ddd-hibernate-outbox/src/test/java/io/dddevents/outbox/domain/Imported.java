// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import io.dddevents.PendingEvents;
import io.dddevents.RaisesEvents;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Cannot extend AggregateRoot, so it delegates. */
@Entity
@Table(name = "t_imported")
public class Imported implements RaisesEvents {

  @Id private String id;

  private final transient PendingEvents events = new PendingEvents();

  protected Imported() {}

  public Imported(String id) {
    this.id = id;
  }

  @Override
  public PendingEvents pendingEvents() {
    return events;
  }

  public void happen(String what) {
    pendingEvents().raise(new Happened(what));
  }
}
