// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Part of an order, yet raising events of its own. */
@Entity
@Table(name = "t_line")
public class Line extends Thing {

  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE)
  private Long id;

  private String name;

  protected Line() {}

  public Line(String name) {
    this.name = name;
  }

  public Long id() {
    return id;
  }

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }
}
