// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Id given by the database at insert. */
@Entity
@Table(name = "t_customer")
public class Customer extends Thing {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private String name;

  protected Customer() {}

  public Customer(String name) {
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
