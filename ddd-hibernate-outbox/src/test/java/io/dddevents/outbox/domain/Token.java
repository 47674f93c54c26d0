// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** Id made by Hibernate as a UUID. */
@Entity
@Table(name = "t_token")
public class Token extends Thing {

  @Id @GeneratedValue private UUID id;

  private String name;

  protected Token() {}

  public Token(String name) {
    this.name = name;
  }

  public UUID id() {
    return id;
  }

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }
}
