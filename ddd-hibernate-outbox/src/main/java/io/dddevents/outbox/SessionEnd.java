// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * Hears of transactions that end without a word: Hibernate calls no completion callback if the
 * rollback itself fails, because the connection is gone, nor if a session is closed with its
 * transaction open. The events must go back to their aggregates all the same; otherwise a retry
 * with the same objects would write their state alone.
 */
final class SessionEnd implements SessionEventListener {

  private static final long serialVersionUID = 1L;

  // Hibernate declares listeners serialisable and serialises none.
  private final transient Capture capture;
  private final transient SharedSessionContractImplementor session;
  private boolean ended;

  SessionEnd(Capture capture, SharedSessionContractImplementor session) {
    this.capture = capture;
    this.session = session;
  }

  @Override
  public void end() {
    if (session.isTransactionInProgress()) {
      ended = true;
    } else {
      abandon();
    }
  }

  /**
   * A session that releases the connection after its own end takes the open transaction with it. A
   * child session releases nothing, since the connection and the transaction are its parent's.
   */
  @Override
  public void jdbcConnectionReleaseEnd() {
    if (ended) {
      abandon();
    }
  }

  /** A JTA transaction outlives its session, and always tells its end. */
  private void abandon() {
    if (!session.getTransactionCoordinator().getTransactionCoordinatorBuilder().isJta()) {
      capture.abandon(session);
    }
  }
}
