// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import io.dddevents.DomainEvent;
import io.dddevents.EventEnvelope;
import io.dddevents.EventOptions;
import io.dddevents.EventRefusedException;
import io.dddevents.EventSerializer;
import io.dddevents.EventTypes;
import io.dddevents.RaisedEvent;
import io.dddevents.RaisesEvents;
import io.dddevents.WireName;
import jakarta.persistence.TransactionRequiredException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.EventSource;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Moves events from aggregates into the outbox, in the session's transaction.
 *
 * <p>Two rules carry it. Whatever goes wrong, the transaction is marked rollback-only before the
 * exception leaves: an application that swallows it cannot commit a change without its events. And
 * what was taken from an aggregate is kept until the transaction has ended, so that a rollback can
 * put it back.
 */
final class Capture {

  private final OutboxStore store;
  private final OutboxSchema schema;
  private final EventTypes types;
  private final EventSerializer serializer;

  /** What each session has taken in its current transaction; empty between transactions. */
  private final Map<SharedSessionContractImplementor, TransactionLog> logs =
      new ConcurrentHashMap<>();

  private final List<Runnable> commitListeners = new CopyOnWriteArrayList<>();

  /** The sessions that tell us their end; asked because a session cannot say who listens. */
  private final Set<SharedSessionContractImplementor> watched =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private volatile int lanes;

  private Capture(
      OutboxStore store, OutboxSchema schema, EventTypes types, EventSerializer serializer) {
    this.store = store;
    this.schema = schema;
    this.types = types;
    this.serializer = serializer;
  }

  static Capture of(SessionFactoryImplementor factory, OutboxSettings settings) {
    SqlDialect dialect = SqlDialect.of(factory.getJdbcServices().getDialect());
    OutboxNames names = settings.names();
    return new Capture(
        new OutboxStore(dialect, names),
        new OutboxSchema(dialect, names),
        settings.eventTypes(),
        settings.serializer(factory.getServiceRegistry().requireService(ClassLoaderService.class)));
  }

  /** The capture of a factory. */
  static Capture required(SessionFactoryImplementor factory) {
    List<Capture> found = new ArrayList<>();
    factory
        .getEventListenerGroups()
        .eventListenerGroup_FLUSH
        .fireEventOnEachListener(
            found,
            (listener, into) -> {
              if (listener instanceof CaptureHolder ours) {
                into.add(ours.capture());
              }
            });
    if (found.isEmpty()) {
      throw new OutboxException(
          "this session factory has no outbox; is "
              + OutboxSettings.ENABLED
              + " set to false for its persistence unit?");
    }
    return found.get(0);
  }

  /** Refuses tables that do not fit, with the SQL that makes them fit. */
  void start(SessionFactoryImplementor factory) {
    try (var session = factory.openStatelessSession()) {
      session.doWork(
          connection -> {
            List<String> problems = schema.validate(connection);
            if (!problems.isEmpty()) {
              throw new OutboxException(
                  "the outbox cannot be used: "
                      + String.join("; ", problems)
                      + ". Run this SQL, or set "
                      + OutboxSettings.ENABLED
                      + "=false for this persistence unit:\n\n"
                      + schema.print());
            }
            lanes = schema.countLanes(connection);
          });
    }
  }

  /** A flush has written the session's aggregates. */
  void flushed(EventSource session) {
    guarded(session, () -> take(session));
  }

  /** An aggregate's row was deleted; it has left the session, but its events have not. */
  void removed(EventSource session, RaisesEvents aggregate, EntityPersister persister, Object id) {
    if (session.isTransactionInProgress()) {
      log(session).removed(aggregate, persister, id);
    }
  }

  /** A detached or new aggregate was copied into the session; its events follow its state. */
  void merged(EventSource session, RaisesEvents source, RaisesEvents target) {
    if (source == target || !source.hasPendingEvents()) {
      return;
    }
    List<RaisedEvent> moved = source.pendingEvents().drain();
    target.pendingEvents().restore(moved);
    if (session.isTransactionInProgress()) {
      log(session).moved(source, target, moved);
    }
  }

  /** An aggregate's changes were given up for what the database holds; so are their events. */
  void refreshed(RaisesEvents aggregate) {
    if (aggregate.hasPendingEvents()) {
      aggregate.pendingEvents().drain();
    }
  }

  /** A stateless session is about to write; without a transaction it would commit at once. */
  void executing(SharedSessionContractImplementor session, RaisesEvents aggregate) {
    if (aggregate.hasPendingEvents()) {
      requireTransaction(session);
    }
  }

  /** A stateless session has written one aggregate. */
  void executed(
      SharedSessionContractImplementor session,
      RaisesEvents aggregate,
      EntityPersister persister,
      Object id) {
    if (aggregate.hasPendingEvents()) {
      guarded(
          session,
          () -> {
            requireTransaction(session);
            Object version = persister.isVersioned() ? persister.getVersion(aggregate) : null;
            Aggregate identity = AggregateIdentity.of(persister, id, version, session);
            return write(session, drain(log(session), aggregate, identity, new ArrayList<>()));
          });
    }
  }

  /** Stores one event at once, without an aggregate that raises it. */
  boolean append(
      SharedSessionContractImplementor session,
      DomainEvent event,
      EventOptions options,
      @Nullable Aggregate aggregate) {
    return guarded(
        session,
        () -> {
          requireTransaction(session);
          RaisedEvent raised = RaisedEvent.of(event, options);
          return write(session, List.of(new Pending(raised, aggregate))).contains(raised.id());
        });
  }

  /** Calls the listener after every commit that stored events, on the committing thread. */
  void onCommit(Runnable listener) {
    commitListeners.add(listener);
  }

  void offCommit(Runnable listener) {
    commitListeners.remove(listener);
  }

  void committed() {
    commitListeners.forEach(Runnable::run);
  }

  /** How many sessions have a log; none between transactions. */
  int openLogs() {
    return logs.size();
  }

  void forget(SharedSessionContractImplementor session) {
    logs.remove(session);
  }

  /** The session's transaction is over and nobody was told how it ended; not with a commit. */
  void abandon(SharedSessionContractImplementor session) {
    TransactionLog log = logs.remove(session);
    if (log != null) {
      log.restore();
    }
  }

  private Set<UUID> take(EventSource session) {
    List<Pending> pending = new ArrayList<>();
    PersistenceContext context = session.getPersistenceContextInternal();
    for (Iterator<Object> managed = context.managedEntitiesIterator(); managed.hasNext(); ) {
      if (managed.next() instanceof RaisesEvents aggregate && aggregate.hasPendingEvents()) {
        requireTransaction(session);
        Aggregate identity = identify(session, aggregate, context.getEntry(aggregate));
        drain(log(session), aggregate, identity, pending);
      }
    }
    if (session.isTransactionInProgress()) {
      // What other callbacks raise before the commit is found by the log's sweep, and what they
      // raise after it is reported: also on aggregates that they are the first to load.
      log(session);
    }
    TransactionLog log = logs.get(session);
    if (log != null) {
      log.eachRemoved(
          (aggregate, persister, id) -> {
            if (aggregate.hasPendingEvents()) {
              Object version = persister.isVersioned() ? persister.getVersion(aggregate) : null;
              Aggregate identity = AggregateIdentity.of(persister, id, version, session);
              drain(log, aggregate, identity, pending);
            }
          });
    }
    return write(session, pending);
  }

  private static Aggregate identify(
      EventSource session, RaisesEvents aggregate, @Nullable EntityEntry entry) {
    if (entry == null) {
      throw new IllegalStateException(
          "Hibernate manages a " + aggregate.getClass().getName() + " without an entry");
    }
    EntityPersister persister = entry.getPersister();
    Object id = entry.getId();
    Object version = persister.isVersioned() ? entry.getVersion() : null;
    Aggregate identity = AggregateIdentity.of(persister, id, version, session);
    if (entry.getStatus() == Status.READ_ONLY && persister.isMutable()) {
      throw new EventRefusedException(
          identity.type()
              + " "
              + identity.id()
              + " was loaded read-only, so its change is not written and its events must not be"
              + " either; load it for writing");
    }
    return identity;
  }

  private static List<Pending> drain(
      TransactionLog log, RaisesEvents aggregate, Aggregate identity, List<Pending> into) {
    List<RaisedEvent> drained = aggregate.pendingEvents().drain();
    log.drained(aggregate, drained);
    for (RaisedEvent raised : drained) {
      into.add(new Pending(raised, identity));
    }
    return into;
  }

  private Set<UUID> write(SharedSessionContractImplementor session, List<Pending> pending) {
    if (pending.isEmpty()) {
      return Set.of();
    }
    log(session).stored();
    List<EventEnvelope> envelopes =
        pending.stream()
            .sorted(Comparator.comparingLong(each -> each.raised().order()))
            .map(this::envelope)
            .toList();
    return session.doReturningWork(
        connection -> {
          try {
            if (lanes == 0) {
              lanes = Math.max(1, schema.countLanes(connection));
            }
            return store.insert(connection, envelopes, lanes);
          } catch (java.sql.SQLException e) {
            throw new OutboxException(
                "could not store "
                    + envelopes.size()
                    + " event(s), first "
                    + envelopes.get(0)
                    + ", so the transaction cannot commit (SQL state "
                    + e.getSQLState()
                    + ", code "
                    + e.getErrorCode()
                    + "); check the tables with OutboxSchema.validate",
                e);
          }
        });
  }

  private EventEnvelope envelope(Pending pending) {
    RaisedEvent raised = pending.raised();
    WireName type = types.nameOf(raised.event().getClass());
    try {
      return EventEnvelope.builder(raised, type)
          .aggregate(pending.aggregate())
          .payload(serializer.contentType(), serializer.serialize(raised, type))
          .build();
    } catch (EventRefusedException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EventRefusedException(
          "event " + raised.id() + " (" + type + ") could not be serialized", e);
    }
  }

  private TransactionLog log(SharedSessionContractImplementor session) {
    TransactionLog log = logs.get(session);
    if (log == null) {
      if (watched.add(session)) {
        session.getEventListenerManager().addListener(new SessionEnd(this, session));
      }
      log = new TransactionLog(this, session);
      logs.put(session, log);
      log.attach();
    }
    return log;
  }

  private static void requireTransaction(SharedSessionContractImplementor session) {
    if (!session.isTransactionInProgress()) {
      throw new TransactionRequiredException(
          "events can be stored only in a transaction, and none is in progress; begin one before"
              + " you write the aggregate");
    }
  }

  private <T> T guarded(SharedSessionContractImplementor session, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      if (session.isTransactionInProgress()) {
        session.getTransactionCoordinator().getTransactionDriverControl().markRollbackOnly();
        log(session).failed(e);
      }
      throw e;
    }
  }

  private record Pending(RaisedEvent raised, @Nullable Aggregate aggregate) {}
}
