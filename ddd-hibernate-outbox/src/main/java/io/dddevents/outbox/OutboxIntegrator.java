// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RaisesEvents;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;

/**
 * Puts capture into every session factory that is built while this jar is on the class path. Found
 * by {@link java.util.ServiceLoader}; public for that reason only. {@link OutboxSettings#ENABLED}
 * turns it off for a persistence unit.
 *
 * <p>One integrator serves several factories, so every factory gets its own listeners.
 */
public final class OutboxIntegrator implements Integrator {

  /** For the service loader. */
  public OutboxIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext bootstrap, SessionFactoryImplementor factory) {
    OutboxSettings settings = OutboxSettings.of(factory.getProperties());
    if (!settings.enabled()) {
      return;
    }
    boolean aggregates =
        metadata.getEntityBindings().stream()
            .anyMatch(
                entity ->
                    entity.getClassName() != null
                        && RaisesEvents.class.isAssignableFrom(entity.getMappedClass()));
    Capture capture = Capture.of(factory, settings);
    if (settings.listeners()) {
      register(factory, new CaptureListeners(capture));
    } else {
      factory
          .getEventEngine()
          .getListenerRegistry()
          .appendListeners(EventType.FLUSH, new PassiveListener(capture));
    }
    if (aggregates && settings.startCheck()) {
      factory.addObserver(
          new SessionFactoryObserver() {
            @Override
            public void sessionFactoryCreated(SessionFactory created) {
              capture.start((SessionFactoryImplementor) created);
            }
          });
    }
  }

  /**
   * Appended, so that ours run after Hibernate's own and after the application's: when a flush has
   * written the aggregates, when the JPA callbacks have raised what they raise.
   */
  private static void register(SessionFactoryImplementor factory, CaptureListeners listeners) {
    EventListenerRegistry registry = factory.getEventEngine().getListenerRegistry();
    registry.appendListeners(EventType.FLUSH, listeners);
    registry.appendListeners(EventType.AUTO_FLUSH, listeners);
    registry.appendListeners(EventType.MERGE, listeners);
    registry.appendListeners(EventType.REFRESH, listeners);
    registry.appendListeners(EventType.POST_DELETE, listeners);
    registry.appendListeners(EventType.POST_INSERT, listeners);
    registry.appendListeners(EventType.POST_UPDATE, listeners);
    registry.appendListeners(EventType.POST_UPSERT, listeners);
    registry.appendListeners(EventType.PRE_INSERT, listeners);
    registry.appendListeners(EventType.PRE_UPDATE, listeners);
    registry.appendListeners(EventType.PRE_UPSERT, listeners);
    registry.appendListeners(EventType.PRE_DELETE, listeners);
  }
}
