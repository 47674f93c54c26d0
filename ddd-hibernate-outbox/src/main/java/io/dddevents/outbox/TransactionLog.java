// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RaisedEvent;
import io.dddevents.RaisesEvents;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.FlushMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.hibernate.event.spi.EventSource;
import org.hibernate.persister.entity.EntityPersister;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session has taken from which aggregate during one transaction, and what it must not
 * forget until the end of it. Used by the session's thread only.
 *
 * <p>The callbacks ignore the session they are called with: a child session shares the queue of its
 * parent, and is called with the parent.
 */
final class TransactionLog {

  private static final Logger log = LoggerFactory.getLogger(TransactionLog.class);

  private final Capture capture;
  private final SharedSessionContractImplementor session;
  private final List<Drained> drained = new ArrayList<>();
  private final List<Moved> moved = new ArrayList<>();
  private final List<Removed> removed = new ArrayList<>();

  private boolean stored;

  TransactionLog(Capture capture, SharedSessionContractImplementor session) {
    this.capture = capture;
    this.session = session;
  }

  /** Something stands in the outbox if this transaction commits. */
  void stored() {
    stored = true;
  }

  void drained(RaisesEvents aggregate, List<RaisedEvent> events) {
    drained.add(new Drained(aggregate, events));
  }

  void moved(RaisesEvents source, RaisesEvents target, List<RaisedEvent> events) {
    moved.add(new Moved(source, target, events));
  }

  void removed(RaisesEvents aggregate, EntityPersister persister, Object id) {
    removed.add(new Removed(aggregate, persister, id));
  }

  void eachRemoved(RemovedVisitor visitor) {
    removed.forEach(each -> visitor.visit(each.aggregate(), each.persister(), each.id()));
  }

  BeforeCompletionCallback beforeCompletion() {
    return ignored -> sweep();
  }

  AfterCompletionCallback afterCompletion() {
    return (success, ignored) -> {
      capture.forget(session);
      if (success) {
        if (stored) {
          capture.committed();
        }
        reportLate();
      } else {
        restore();
      }
    };
  }

  /** Finds what was raised between the commit's flush and here, by callbacks of the application. */
  private void sweep() {
    if (session instanceof EventSource stateful
        && writes(stateful)
        && !pending(stateful).isEmpty()) {
      if (stateful.isOpen()) {
        // Whoever raised has probably changed something as well: write both.
        stateful.flush();
      }
      capture.flushed(stateful);
    }
  }

  /** A retry of the business operation must find the aggregates as they were. */
  private void restore() {
    for (int i = drained.size() - 1; i >= 0; i--) {
      Drained each = drained.get(i);
      each.aggregate().pendingEvents().restore(each.events());
    }
    for (int i = moved.size() - 1; i >= 0; i--) {
      Moved each = moved.get(i);
      Set<UUID> ids = each.events().stream().map(RaisedEvent::id).collect(Collectors.toSet());
      List<RaisedEvent> onTarget = each.target().pendingEvents().drain();
      each.target()
          .pendingEvents()
          .restore(onTarget.stream().filter(raised -> !ids.contains(raised.id())).toList());
      each.source().pendingEvents().restore(each.events());
    }
  }

  /** Too late to fail, but not to say so. */
  private void reportLate() {
    if (session instanceof EventSource stateful
        && stateful.isOpenOrWaitingForAutoClose()
        && writes(stateful)) {
      pending(stateful)
          .forEach(
              raised ->
                  log.error(
                      "Event raised after the last flush of its transaction, which has"
                          + " committed without it: event={} class={}. Raise it before the"
                          + " commit, not in a Synchronization or completion callback",
                      raised.id(),
                      raised.event().getClass().getName()));
    }
  }

  /** What the session's aggregates have raised and no flush has taken, removed ones included. */
  private List<RaisedEvent> pending(EventSource stateful) {
    List<RaisedEvent> pending = new ArrayList<>();
    for (Iterator<Object> managed = managed(stateful); managed.hasNext(); ) {
      if (managed.next() instanceof RaisesEvents aggregate && aggregate.hasPendingEvents()) {
        pending.addAll(aggregate.pendingEvents().list());
      }
    }
    for (Removed each : removed) {
      if (each.aggregate().hasPendingEvents()) {
        pending.addAll(each.aggregate().pendingEvents().list());
      }
    }
    return pending;
  }

  private static Iterator<Object> managed(EventSource stateful) {
    return stateful.getPersistenceContextInternal().managedEntitiesIterator();
  }

  /** With MANUAL no state is written unasked, and events follow the state. */
  private static boolean writes(EventSource stateful) {
    return stateful.getHibernateFlushMode() != FlushMode.MANUAL;
  }

  interface RemovedVisitor {
    void visit(RaisesEvents aggregate, EntityPersister persister, Object id);
  }

  private record Drained(RaisesEvents aggregate, List<RaisedEvent> events) {}

  private record Moved(RaisesEvents source, RaisesEvents target, List<RaisedEvent> events) {}

  private record Removed(RaisesEvents aggregate, EntityPersister persister, Object id) {}
}
