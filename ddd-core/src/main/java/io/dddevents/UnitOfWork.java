// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import org.jspecify.annotations.Nullable;

/**
 * One business transaction. Work that returns is committed, work that throws is rolled back and its
 * exception reaches the caller unchanged. If the commit fails, the caller gets that exception:
 * returning normally always means that the changes and their events are committed.
 *
 * <p>A call inside another one on the same thread joins it: it commits with the outer one, and if
 * it throws, the outer one can no longer commit. Safe for many threads.
 */
public interface UnitOfWork {

  /** Runs the work and returns its result. */
  <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X;

  /** Runs the action. */
  default <X extends Exception> void run(Action<X> action) throws X {
    this.<Boolean, X>call(
        () -> {
          action.run();
          return true;
        });
  }

  /** The same, but every call has a transaction of its own, also inside another unit of work. */
  UnitOfWork requiresNew();

  /**
   * Work with a result.
   *
   * @param <T> the result
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface Work<T extends @Nullable Object, X extends Exception> {
    /** Does the work. */
    T call() throws X;
  }

  /**
   * Work without a result.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface Action<X extends Exception> {
    /** Does the work. */
    void run() throws X;
  }
}
