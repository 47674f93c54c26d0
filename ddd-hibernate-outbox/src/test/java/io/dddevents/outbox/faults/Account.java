// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.AggregateRoot;
import io.dddevents.DomainEvent;
import io.dddevents.EventOptions;
import io.dddevents.RaisedEvent;
import io.dddevents.outbox.domain.Happened;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.List;
import java.util.UUID;

/** The aggregate of the application: counts its moves, so that its row says how many there were. */
@Entity
@Table(name = "t_account")
public class Account extends AggregateRoot {

  @Id private String id;

  @Version private long version;

  private long moves;

  private String owner;

  protected Account() {}

  public Account(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  public long version() {
    return version;
  }

  public long moves() {
    return moves;
  }

  public String owner() {
    return owner;
  }

  /** Changes the state and raises an event under an id that the application knows. */
  public UUID move(String what) {
    return move(new Happened(what));
  }

  public UUID move(DomainEvent event) {
    moves++;
    UUID eventId = UUID.randomUUID();
    raise(event, EventOptions.defaults().id(eventId));
    return eventId;
  }

  /** Raises without a change of state. */
  public UUID remark(String what) {
    UUID eventId = UUID.randomUUID();
    raise(new Happened(what), EventOptions.defaults().id(eventId));
    return eventId;
  }

  /** Raises with a dedupe key. */
  public void remarkOnce(String what, String key) {
    raise(new Happened(what), EventOptions.defaults().dedupeKey(key));
  }

  public void ownedBy(String newOwner) {
    owner = newOwner;
  }

  public List<UUID> pendingIds() {
    return pendingEvents().list().stream().map(RaisedEvent::id).toList();
  }
}
