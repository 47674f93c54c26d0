// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Id given by the application; no version. */
@Entity
@Table(name = "t_doc")
public class Doc extends Thing {

  @Id private String id;

  private String name;

  protected Doc() {}

  public Doc(String id) {
    this.id = id;
    this.name = id;
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
