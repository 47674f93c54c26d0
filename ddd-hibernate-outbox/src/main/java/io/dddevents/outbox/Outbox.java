// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import io.dddevents.DomainEvent;
import io.dddevents.EventOptions;
import jakarta.persistence.EntityManager;
import org.hibernate.SharedSessionContract;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Stores events that no aggregate raises: after bulk statements, native SQL, or in code without
 * aggregates. The event is stored at once, in the transaction of the given session, or an exception
 * is thrown and that transaction can no longer commit. Safe for many threads.
 */
public final class Outbox {

  private Outbox() {}

  /** Stores the event. See {@link #append(EntityManager, DomainEvent, EventOptions)}. */
  public static boolean append(EntityManager session, DomainEvent event) {
    return append(session, event, EventOptions.defaults());
  }

  /**
   * Stores the event.
   *
   * @return whether it was stored now; false if an event of this type with the same dedupe key was
   *     stored before, which is no error
   * @throws jakarta.persistence.TransactionRequiredException if no transaction is in progress
   */
  public static boolean append(EntityManager session, DomainEvent event, EventOptions options) {
    return append(session.unwrap(SharedSessionContractImplementor.class), event, options, null);
  }

  /** Stores the event as one of the given aggregate, so that it keeps its place among them. */
  public static boolean append(
      EntityManager session, DomainEvent event, EventOptions options, Aggregate aggregate) {
    return append(
        session.unwrap(SharedSessionContractImplementor.class), event, options, aggregate);
  }

  /** Stores the event in the transaction of a stateless session. */
  public static boolean append(StatelessSession session, DomainEvent event, EventOptions options) {
    return append((SharedSessionContract) session, event, options, null);
  }

  private static boolean append(
      SharedSessionContract session,
      DomainEvent event,
      EventOptions options,
      @Nullable Aggregate aggregate) {
    SharedSessionContractImplementor implementor = (SharedSessionContractImplementor) session;
    return Capture.required(implementor.getFactory())
        .append(implementor, event, options, aggregate);
  }
}
