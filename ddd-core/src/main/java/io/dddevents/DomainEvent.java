// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * Marks something that has happened in the domain, named in the past tense. Usually a record: it is
 * written as JSON when the transaction is flushed and never changes afterwards.
 *
 * <pre>{@code
 * @EventType("order.placed")
 * public record OrderPlaced(UUID orderId, Money total) implements DomainEvent {}
 * }</pre>
 */
public interface DomainEvent {}
