// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.testsupport.GuardedExamples.Leaky;
import io.dddevents.testsupport.GuardedExamples.Tidy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LeakGuardTest {
  static @Nullable ChildJvm child;

  @Test
  void aTidyClassPasses() {
    assertThat(Running.failuresOf(Tidy.class)).isEmpty();
  }

  @Test
  void namesEverythingLeftBehind() {
    Map<String, String> failures = Running.failuresOf(Leaky.class);
    try {
      assertThat(failures).hasSize(1);
      assertThat(failures.values().iterator().next())
          .contains("left behind by")
          .contains("Leaky")
          .contains("thread frog-thread")
          .contains("thread ddd-thread (daemon)")
          .contains("connections to " + Leaky.database)
          .contains("1 connections to " + Leaky.closed)
          .contains("TcpProxy on port " + Leaky.proxy.port())
          .contains("child JVM Idler");
    } finally {
      Leaky.thread.interrupt();
      Leaky.ours.interrupt();
      Leaky.proxy.close();
      Leaky.database.execute("shutdown");
      if (child != null) {
        child.close();
      }
    }
  }
}
