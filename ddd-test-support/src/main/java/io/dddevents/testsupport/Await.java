// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits, for a bounded time, for a real condition: the only way in which our tests wait. */
public final class Await {
  private static final long STEP_NANOS = Duration.ofMillis(10).toNanos();

  private Await() {}

  /**
   * Returns as soon as the condition holds. An exception of the condition counts as "not yet" and
   * is the cause of the failure if the time runs out; so does an {@link AssertionError}.
   *
   * @throws AssertionError naming the description, if the condition does not hold within the
   *     timeout
   */
  public static void until(String description, Duration timeout, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Throwable lastFailure = null;
    do {
      try {
        if (condition.call()) {
          return;
        }
        lastFailure = null;
      } catch (Exception | AssertionError e) {
        lastFailure = e;
      }
      pause(description);
    } while (System.nanoTime() < deadline);
    throw failure("not within " + timeout + ": " + description, lastFailure);
  }

  private static void pause(String description) {
    LockSupport.parkNanos(STEP_NANOS);
    // The flag stays set: whoever interrupted the test thread wants it to end, not to poll on.
    if (Thread.currentThread().isInterrupted()) {
      throw new AssertionError("interrupted while waiting for: " + description);
    }
  }

  private static AssertionError failure(String message, @Nullable Throwable cause) {
    return new AssertionError(cause == null ? message : message + " (" + cause + ")", cause);
  }
}
