// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import io.dddevents.testsupport.TcpProxy.Mode;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The valve of a {@link TcpProxy}: every chunk of bytes asks here what becomes of it. */
final class Gate {
  static final long UNLIMITED = Long.MAX_VALUE;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private Mode mode = Mode.PASS;
  private long bytesPerSecond = UNLIMITED;

  synchronized Mode mode() {
    return mode;
  }

  synchronized void set(Mode newMode, long newBytesPerSecond) {
    mode = newMode;
    bytesPerSecond = newBytesPerSecond;
    notifyAll();
  }

  /** Wakes whoever waits here, because its connection has ended. */
  synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits while bytes of this direction are held; then tells whether to forward them. A connection
   * that has ended while waiting forwards nothing.
   */
  synchronized boolean admits(boolean toServer, BooleanSupplier ended) throws InterruptedException {
    while (holds(toServer) && !ended.getAsBoolean()) {
      wait();
    }
    return !drops(toServer) && !ended.getAsBoolean();
  }

  /** Waits until an end of stream may be passed on: a held or swallowed one stays unknown. */
  synchronized void awaitEndMayPass(boolean toServer, BooleanSupplier ended)
      throws InterruptedException {
    while ((holds(toServer) || drops(toServer)) && !ended.getAsBoolean()) {
      wait();
    }
  }

  /** How many bytes may be read at once, so that a throttle takes effect within a tenth. */
  synchronized int chunk(int wanted) {
    return (int) Math.min(wanted, Math.max(1, bytesPerSecond / 10));
  }

  /** Takes the time that this many bytes need. */
  void pace(int bytes) {
    long rate;
    synchronized (this) {
      rate = bytesPerSecond;
    }
    if (rate != UNLIMITED) {
      LockSupport.parkNanos(bytes * NANOS_PER_SECOND / rate);
    }
  }

  private boolean holds(boolean toServer) {
    return mode == Mode.HOLD || mode == (toServer ? Mode.HOLD_TO_SERVER : Mode.HOLD_TO_CLIENT);
  }

  private boolean drops(boolean toServer) {
    return mode == (toServer ? Mode.BLACK_HOLE_TO_SERVER : Mode.BLACK_HOLE_TO_CLIENT);
  }
}
