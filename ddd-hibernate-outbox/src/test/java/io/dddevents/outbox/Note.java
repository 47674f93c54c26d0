// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An entity that is no aggregate and raises nothing. */
@Entity
@Table(name = "t_note")
class Note {

  @Id private long id;

  protected Note() {}

  Note(long id) {
    this.id = id;
  }

  long id() {
    return id;
  }
}
