// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import org.hibernate.SessionFactory;
import org.hibernate.TransactionException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The JTA transaction that a unit of work finds on its thread. Without JTA there is none. Closing
 * resumes what was suspended.
 */
final class CallersTransaction implements AutoCloseable {

  private final @Nullable TransactionManager transactions;
  private boolean joined;
  private @Nullable Transaction suspended;

  private CallersTransaction(@Nullable TransactionManager transactions, boolean joined) {
    this.transactions = transactions;
    this.joined = joined;
  }

  static CallersTransaction of(SessionFactory sessions) {
    var services = sessions.unwrap(SessionFactoryImplementor.class).getServiceRegistry();
    if (!services.requireService(TransactionCoordinatorBuilder.class).isJta()) {
      return new CallersTransaction(null, false);
    }
    TransactionManager transactions =
        services.requireService(JtaPlatform.class).retrieveTransactionManager();
    if (transactions == null) {
      throw new IllegalStateException(
          "Hibernate's JTA platform knows no transaction manager; set"
              + " hibernate.transaction.jta.platform");
    }
    try {
      return new CallersTransaction(
          transactions, transactions.getStatus() != Status.STATUS_NO_TRANSACTION);
    } catch (SystemException e) {
      throw new TransactionException("could not ask for the transaction in progress", e);
    }
  }

  boolean isJta() {
    return transactions != null;
  }

  /** Whether the unit of work runs in its caller's transaction, which the caller will end. */
  boolean isJoined() {
    return joined;
  }

  void suspend() {
    if (transactions != null && joined) {
      try {
        suspended = transactions.suspend();
        joined = false;
      } catch (SystemException e) {
        throw new TransactionException("could not suspend the transaction in progress", e);
      }
    }
  }

  @Override
  public void close() {
    if (transactions != null && suspended != null) {
      try {
        transactions.resume(suspended);
      } catch (SystemException | InvalidTransactionException e) {
        throw new TransactionException("could not resume the suspended transaction", e);
      }
    }
  }
}
