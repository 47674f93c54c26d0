// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.testsupport.Database;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The suite with {@link OutboxInterceptor} instead of listeners, less what an interceptor cannot
 * see. Each exception below is tried too, and must fail: what begins to work comes off the list.
 */
@ExtendWith(ExpectedFailures.class)
@ExpectedFailures.Of({
  // refresh: an interceptor is not told
  "aRefreshGivesUpEventsRaisedBeforeItAndKeepsThoseAfterIt",
  // a session has one interceptor only
  "aSessionWithItsOwnInterceptorIsCapturedAndTheInterceptorCalled",
  "aFactoryWithItsOwnInterceptorIsCapturedAndTheInterceptorCalled",
  "aSessionScopedInterceptorIsCalledToo",
  // a stateless session has no flush
  "insertUpdateUpsertAndDeleteAreCaptured",
  "severalInsertsKnowTheIdsThatTheDatabaseGave",
  "theVersionAfterAnUpdateIsStored",
  "withoutATransactionNothingIsWritten",
  "aRollbackReturnsTheEvents",
  "aSwallowedFailureStillPreventsTheCommit",
})
abstract class InterceptorCapture extends DatabaseCapture {

  InterceptorCapture(Database database) {
    super(database);
  }

  @Override
  protected SessionFactory build(Map<String, Object> settings) {
    Map<String, Object> explicit = new HashMap<>(settings);
    explicit.put(OutboxSettings.LISTENERS, "false");
    return super.build(explicit);
  }

  @Override
  protected Session open(SessionFactory factory) {
    return OutboxInterceptor.openSession(factory);
  }
}
