// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import java.util.concurrent.locks.LockSupport;

/** A short, exact delay that decides when a fault strikes; never a wait for something. */
final class Pause {

  private Pause() {}

  static void nanos(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
