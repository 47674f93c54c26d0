// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.UnitOfWork;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.RollbackException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StaleStateException;
import org.hibernate.Transaction;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * A {@link UnitOfWork} with one Hibernate session and one transaction per call. {@link #session()}
 * gives the session to repositories. Safe for many threads; a unit of work belongs to one.
 *
 * <p>With JTA, a call joins the transaction that is in progress on its thread, if there is one, and
 * commits nothing: its caller does. {@link #requiresNew()} suspends that transaction meanwhile.
 */
public final class HibernateUnitOfWork implements UnitOfWork {

  private final SessionFactory sessions;
  private final int retries;
  private final ThreadLocal<@Nullable Session> current;
  private final boolean alwaysNew;

  private HibernateUnitOfWork(
      SessionFactory sessions,
      int retries,
      ThreadLocal<@Nullable Session> current,
      boolean alwaysNew) {
    this.sessions = sessions;
    this.retries = retries;
    this.current = current;
    this.alwaysNew = alwaysNew;
  }

  /** Without retries. */
  public static HibernateUnitOfWork of(EntityManagerFactory sessions) {
    return new HibernateUnitOfWork(
        sessions.unwrap(SessionFactory.class), 0, new ThreadLocal<>(), false);
  }

  /**
   * The same, but work that fails because another transaction changed the same aggregate is run
   * again, each time in a fresh session, up to so many times. It must load what it changes inside
   * the unit of work. Applies to the outermost call only. Defaults to 0.
   */
  public HibernateUnitOfWork retryOnConflict(int retries) {
    if (retries < 0 || retries > 100) {
      throw new IllegalArgumentException("retries must be from 0 to 100, was " + retries);
    }
    return new HibernateUnitOfWork(sessions, retries, current, alwaysNew);
  }

  @Override
  public UnitOfWork requiresNew() {
    return new HibernateUnitOfWork(sessions, retries, current, true);
  }

  /**
   * The session of the unit of work that runs on this thread; it is also the {@code EntityManager}.
   *
   * @throws IllegalStateException if none runs
   */
  public Session session() {
    Session session = current.get();
    if (session == null) {
      throw new IllegalStateException(
          "no unit of work runs on thread '"
              + Thread.currentThread().getName()
              + "'; call this inside UnitOfWork.run or call");
    }
    return session;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
    Session outer = current.get();
    if (outer != null && !alwaysNew) {
      return join(outer, work);
    }
    try (CallersTransaction caller = CallersTransaction.of(sessions)) {
      if (alwaysNew) {
        caller.suspend();
      }
      for (int failures = 0; ; failures++) {
        try {
          return begin(outer, caller, work);
        } catch (RuntimeException e) {
          // What the caller has done in its transaction cannot be done again from here.
          if (failures >= retries || caller.isJoined() || !isConflict(e)) {
            throw e;
          }
        }
      }
    }
  }

  private static <T extends @Nullable Object, X extends Exception> T join(
      Session outer, Work<T, X> work) throws X {
    try {
      return work.call();
    } catch (Throwable e) {
      outer.getTransaction().markRollbackOnly();
      throw e;
    }
  }

  private <T extends @Nullable Object, X extends Exception> T begin(
      @Nullable Session outer, CallersTransaction caller, Work<T, X> work) throws X {
    Session session = sessions.openSession();
    current.set(session);
    try {
      Transaction transaction = session.beginTransaction();
      T result = work.call();
      commit(transaction, caller.isJta());
      return result;
    } catch (Throwable e) {
      rollback(session, e);
      throw e;
    } finally {
      if (outer == null) {
        current.remove();
      } else {
        current.set(outer);
      }
      session.close();
    }
  }

  /**
   * Hibernate's own commit of a transaction that can only roll back returns normally. One of JTA
   * throws; afterwards there is no transaction to ask, or it is the caller's and goes on.
   */
  private static void commit(Transaction transaction, boolean jta) {
    if (transaction.getStatus() == TransactionStatus.MARKED_ROLLBACK) {
      transaction.rollback();
      throw new RollbackException(
          "the unit of work was rolled back: something inside it failed and the exception was"
              + " caught there; let it through, or do that part in requiresNew()");
    }
    transaction.commit();
    if (!jta && transaction.getStatus() != TransactionStatus.COMMITTED) {
      throw new RollbackException(
          "the unit of work was not committed; its transaction ended " + transaction.getStatus());
    }
  }

  private static void rollback(Session session, Throwable cause) {
    try {
      Transaction transaction = session.getTransaction();
      if (transaction.isActive() || transaction.getStatus() == TransactionStatus.MARKED_ROLLBACK) {
        transaction.rollback();
      }
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private static boolean isConflict(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof OptimisticLockException || cause instanceof StaleStateException) {
        return true;
      }
    }
    return false;
  }
}
