// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.Objects;

/** Composite id in one object that has no toString. */
@Entity
@Table(name = "t_seat")
public class Seat extends Thing {

  @EmbeddedId private Key id;

  private String name;

  protected Seat() {}

  public Seat(String hall, int number) {
    this.id = new Key(hall, number);
  }

  public Key id() {
    return id;
  }

  /** Hall and number. */
  @Embeddable
  public static class Key implements Serializable {

    private static final long serialVersionUID = 1L;

    private String hall;
    private int number;

    protected Key() {}

    public Key(String hall, int number) {
      this.hall = hall;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.number == number && Objects.equals(key.hall, hall);
    }

    @Override
    public int hashCode() {
      return Objects.hash(hall, number);
    }
  }

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }
}
