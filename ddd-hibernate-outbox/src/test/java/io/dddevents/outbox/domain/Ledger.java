// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.Immutable;

/** Written once and never changed. */
@Entity
@Table(name = "t_ledger")
@Immutable
public class Ledger extends Thing {

  @Id private String id;

  private String name;

  protected Ledger() {}

  public Ledger(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }
}
