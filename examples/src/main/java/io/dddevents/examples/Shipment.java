// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the warehouse makes of an order; written by a handler. */
@Entity
@Table(name = "shop_shipment")
public class Shipment {

  @Id private @Nullable UUID orderId;

  private @Nullable String article;

  /** For Hibernate. */
  protected Shipment() {}

  Shipment(UUID orderId, String article) {
    this.orderId = orderId;
    this.article = article;
  }

  @Nullable String article() {
    return article;
  }
}
