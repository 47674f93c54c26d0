// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreRemove;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;

/** Sequence id, version, parts, an association, and every callback. */
@Entity
@Table(name = "t_order")
public class Ord extends Thing {

  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE)
  private Long id;

  @Version private long version;

  private String name;

  @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
  private List<Line> lines = new ArrayList<>();

  @ManyToOne(fetch = FetchType.LAZY, cascade = CascadeType.ALL)
  private Customer customer;

  protected Ord() {}

  public Ord(String name) {
    this.name = name;
  }

  public Long id() {
    return id;
  }

  public long version() {
    return version;
  }

  public String name() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }

  public List<Line> lines() {
    return lines;
  }

  public Customer customer() {
    return customer;
  }

  public void customer(Customer newCustomer) {
    customer = newCustomer;
  }

  @PrePersist
  void prePersist() {
    called("PrePersist");
  }

  @PostPersist
  void postPersist() {
    called("PostPersist");
  }

  @PreUpdate
  void preUpdate() {
    called("PreUpdate");
  }

  @PostUpdate
  void postUpdate() {
    called("PostUpdate");
  }

  @PreRemove
  void preRemove() {
    called("PreRemove");
  }

  @PostRemove
  void postRemove() {
    called("PostRemove");
  }
}
