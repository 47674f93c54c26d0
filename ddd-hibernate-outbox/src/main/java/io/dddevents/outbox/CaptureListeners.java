// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RaisesEvents;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PostUpsertEvent;
import org.hibernate.event.spi.PostUpsertEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.event.spi.RefreshContext;
import org.hibernate.event.spi.RefreshEvent;
import org.hibernate.event.spi.RefreshEventListener;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Tells {@link Capture} what Hibernate does. A stateful session is captured when it flushes; a
 * stateless one has no flush, so each of its operations is captured on its own.
 */
final class CaptureListeners
    implements CaptureHolder,
        FlushEventListener,
        AutoFlushEventListener,
        MergeEventListener,
        RefreshEventListener,
        PostDeleteEventListener,
        PostInsertEventListener,
        PostUpdateEventListener,
        PostUpsertEventListener,
        PreInsertEventListener,
        PreUpdateEventListener,
        PreUpsertEventListener,
        PreDeleteEventListener {

  private static final long serialVersionUID = 1L;

  // Hibernate declares listeners serialisable and serialises none.
  private final transient Capture capture;

  CaptureListeners(Capture capture) {
    this.capture = capture;
  }

  @Override
  public Capture capture() {
    return capture;
  }

  @Override
  public void onFlush(FlushEvent event) {
    capture.flushed(event.getSession());
  }

  @Override
  public void onAutoFlush(AutoFlushEvent event) {
    // Judged not needed: nothing was written, so the events wait for the flush that writes.
    if (event.isFlushRequired()) {
      capture.flushed(event.getSession());
    }
  }

  @Override
  public void onMerge(MergeEvent event) {
    if (event.getOriginal() != null
        && Hibernate.unproxy(event.getOriginal()) instanceof RaisesEvents source
        && event.getResult() instanceof RaisesEvents target) {
      capture.merged(event.getSession(), source, target);
    }
  }

  @Override
  public void onMerge(MergeEvent event, MergeContext copiedAlready) {
    onMerge(event);
  }

  @Override
  public void onRefresh(RefreshEvent event) {
    if (Hibernate.unproxy(event.getObject()) instanceof RaisesEvents aggregate) {
      capture.refreshed(aggregate);
    }
  }

  @Override
  public void onRefresh(RefreshEvent event, RefreshContext refreshedAlready) {
    onRefresh(event);
  }

  @Override
  public void onPostDelete(PostDeleteEvent event) {
    if (!(event.getEntity() instanceof RaisesEvents aggregate)) {
      return;
    }
    if (event.getSession() instanceof EventSource session) {
      capture.removed(session, aggregate, event.getPersister(), event.getId());
    } else {
      capture.executed(event.getSession(), aggregate, event.getPersister(), event.getId());
    }
  }

  @Override
  public void onPostInsert(PostInsertEvent event) {
    executed(event.getSession(), event.getEntity(), event.getPersister(), event.getId());
  }

  @Override
  public void onPostUpdate(PostUpdateEvent event) {
    executed(event.getSession(), event.getEntity(), event.getPersister(), event.getId());
  }

  @Override
  public void onPostUpsert(PostUpsertEvent event) {
    executed(event.getSession(), event.getEntity(), event.getPersister(), event.getId());
  }

  @Override
  public boolean onPreInsert(PreInsertEvent event) {
    return executing(event.getSession(), event.getEntity());
  }

  @Override
  public boolean onPreUpdate(PreUpdateEvent event) {
    return executing(event.getSession(), event.getEntity());
  }

  @Override
  public boolean onPreUpsert(PreUpsertEvent event) {
    return executing(event.getSession(), event.getEntity());
  }

  @Override
  public boolean onPreDelete(PreDeleteEvent event) {
    return executing(event.getSession(), event.getEntity());
  }

  @Override
  public boolean requiresPostCommitHandling(EntityPersister persister) {
    return false;
  }

  private void executed(
      SharedSessionContractImplementor session,
      Object entity,
      EntityPersister persister,
      Object id) {
    if (!(session instanceof EventSource) && entity instanceof RaisesEvents aggregate) {
      capture.executed(session, aggregate, persister, id);
    }
  }

  /** Returns false: never vetoes. */
  private boolean executing(SharedSessionContractImplementor session, Object entity) {
    if (!(session instanceof EventSource) && entity instanceof RaisesEvents aggregate) {
      capture.executing(session, aggregate);
    }
    return false;
  }
}
