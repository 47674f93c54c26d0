// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RaisesEvents;
import java.util.Iterator;
import org.hibernate.Interceptor;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventSource;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Captures the events of one session, for applications that wire capture by hand. Set {@link
 * OutboxSettings#LISTENERS} to {@code false} and open sessions so:
 *
 * <pre>{@code
 * Session session = OutboxInterceptor.openSession(factory);
 * }</pre>
 *
 * <p>or, if the session needs further options:
 *
 * <pre>{@code
 * OutboxInterceptor interceptor = OutboxInterceptor.of(factory);
 * Session session = factory.withOptions().interceptor(interceptor).openSession();
 * interceptor.bind(session);
 * }</pre>
 *
 * <p>Prefer the listeners, which need no wiring and see everything. An interceptor does not see:
 *
 * <ul>
 *   <li>a session that was opened without it, for instance with another interceptor: a session has
 *       one only, and nothing says that ours is missing;
 *   <li>{@code refresh}: no method is called, so an event whose change was given up is still
 *       stored;
 *   <li>a {@code StatelessSession}: its methods are called before the SQL, when a generated id is
 *       not known yet, and there is no flush after which to write;
 *   <li>the session itself: no method gets it, hence {@link #bind}.
 * </ul>
 *
 * <p>Belongs to one session and its thread.
 */
public final class OutboxInterceptor implements Interceptor {

  private final Capture capture;
  private @Nullable EventSource session;

  private OutboxInterceptor(Capture capture) {
    this.capture = capture;
  }

  /** Opens a session whose events are captured. */
  public static Session openSession(SessionFactory factory) {
    OutboxInterceptor interceptor = of(factory);
    Session session = factory.withOptions().interceptor(interceptor).openSession();
    interceptor.bind(session);
    return session;
  }

  /** An interceptor for one session, which must be bound to it. */
  public static OutboxInterceptor of(SessionFactory factory) {
    return new OutboxInterceptor(Capture.required(factory.unwrap(SessionFactoryImplementor.class)));
  }

  /** Says which session this interceptor belongs to. */
  public void bind(Session session) {
    if (this.session != null) {
      throw new IllegalStateException(
          "this interceptor is bound to a session; every session needs its own");
    }
    this.session = session.unwrap(EventSource.class);
  }

  /** The flush has written the aggregates; an exception from here lets it fail. */
  @Override
  public void postFlush(Iterator<Object> entities) {
    if (session != null) {
      capture.flushed(session);
      return;
    }
    while (entities.hasNext()) {
      if (entities.next() instanceof RaisesEvents aggregate && aggregate.hasPendingEvents()) {
        throw new IllegalStateException(
            "the interceptor is not bound to its session, so events cannot be stored; call bind"
                + " right after openSession");
      }
    }
  }

  /** A removed aggregate is gone when {@link #postFlush} is called; its events are not. */
  @Override
  public void onRemove(
      Object entity, Object id, Object[] state, String[] propertyNames, Type[] types) {
    if (session != null && entity instanceof RaisesEvents aggregate) {
      capture.removed(session, aggregate, session.getEntityPersister(null, entity), id);
    }
  }

  /** Events are not state, so a merge does not copy them. */
  @Override
  public void postMerge(
      Object source,
      Object target,
      Object id,
      Object[] targetState,
      Object[] originalState,
      String[] propertyNames,
      Type[] propertyTypes) {
    if (session != null
        && source instanceof RaisesEvents from
        && target instanceof RaisesEvents to) {
      capture.merged(session, from, to);
    }
  }
}
