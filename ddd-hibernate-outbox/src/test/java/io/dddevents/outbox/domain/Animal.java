// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Abstract root of a hierarchy. */
@Entity
@Table(name = "t_animal")
public abstract class Animal extends Thing {

  @Id @GeneratedValue private Long id;

  public Long id() {
    return id;
  }
}
