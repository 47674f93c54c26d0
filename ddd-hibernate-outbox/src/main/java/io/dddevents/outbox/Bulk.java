// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.function.LongPredicate;

/**
 * How to act on many events: how many at most, how fast, and whom to tell. Immutable. Work is done
 * in transactions of at most 500 events, in the order of their positions, each event once.
 *
 * @param limit at most so many events. Defaults to all
 * @param perSecond at most so many events in a second. Defaults to no limit
 * @param progress told after every transaction how many events are done; answers whether to go on.
 *     Defaults to going on. An interrupt of the thread stops as well
 */
public record Bulk(long limit, int perSecond, LongPredicate progress) {

  /** Refuses a limit or a rate below 1. */
  public Bulk {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    }
    if (perSecond < 1) {
      throw new IllegalArgumentException("perSecond must be at least 1, was " + perSecond);
    }
  }

  /** Everything, at once. */
  public static Bulk all() {
    return new Bulk(Long.MAX_VALUE, Integer.MAX_VALUE, done -> true);
  }

  /** With a limit. */
  public Bulk withLimit(long limit) {
    return new Bulk(limit, perSecond, progress);
  }

  /** With a rate. */
  public Bulk withPerSecond(int perSecond) {
    return new Bulk(limit, perSecond, progress);
  }

  /** With a listener that may stop the work. */
  public Bulk withProgress(LongPredicate progress) {
    return new Bulk(limit, perSecond, progress);
  }
}
