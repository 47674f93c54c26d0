// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;

/** Composite id in two attributes. */
@Entity
@Table(name = "t_shelf")
@IdClass(Shelf.Key.class)
public class Shelf extends Thing {

  @Id private String aisle;

  @Id private int level;

  private String name;

  protected Shelf() {}

  public Shelf(String aisle, int level) {
    this.aisle = aisle;
    this.level = level;
  }

  /** Aisle and level. */
  public record Key(String aisle, int level) implements Serializable {}

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }
}
