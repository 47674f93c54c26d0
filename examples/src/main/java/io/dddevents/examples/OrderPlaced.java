// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import io.dddevents.DomainEvent;
import io.dddevents.EventType;
import java.util.UUID;

/** An order was placed. */
@EventType("order.placed")
public record OrderPlaced(UUID orderId, String article, int quantity) implements DomainEvent {}
