// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * Named places in the code of a child JVM at which a test kills or freezes it.
 *
 * <p>A point is armed by {@link ChildJvm.Builder#failPoints}. When the child reaches an armed point
 * it prints {@code FAILPOINT name} and stands still until the test sends {@link
 * ChildJvm#go(String)}, which most tests never do. A point that is not armed costs nothing.
 */
public final class FailPoints {
  static final String PROPERTY = "ddd.failpoints";
  static final String REACHED = "FAILPOINT ";

  private static final Set<String> armed =
      Arrays.stream(System.getProperty(PROPERTY, "").split(",", -1))
          .filter(name -> !name.isBlank())
          .collect(Collectors.toUnmodifiableSet());
  private static final ConcurrentHashMap<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  private FailPoints() {}

  /** Stands still here if the point is armed. */
  public static void reach(String name) {
    if (!armed.contains(name)) {
      return;
    }
    System.out.println(REACHED + name);
    System.out.flush();
    try {
      gate(name).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens the point for all who stand there and all who come. */
  static void go(String name) {
    gate(name).countDown();
  }

  private static CountDownLatch gate(String name) {
    return gates.computeIfAbsent(name, n -> new CountDownLatch(1));
  }
}
