// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import io.dddevents.AggregateRoot;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order: the aggregate raises, and knows nothing of messaging. */
@Entity
@Table(name = "shop_order")
public class Order extends AggregateRoot {

  @Id private @Nullable UUID id;

  @Version private long version;

  private @Nullable String article;

  private int quantity;

  private boolean placed;

  /** For Hibernate. */
  protected Order() {}

  Order(UUID id, String article, int quantity) {
    if (quantity < 1) {
      throw new IllegalArgumentException("an order needs at least one piece, not " + quantity);
    }
    this.id = id;
    this.article = article;
    this.quantity = quantity;
  }

  void place() {
    if (placed || id == null || article == null) {
      throw new IllegalStateException("order " + id + " cannot be placed");
    }
    placed = true;
    raise(new OrderPlaced(id, article, quantity));
  }
}
