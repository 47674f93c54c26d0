// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AwaitTest {
  @Test
  void returnsAsSoonAsTheConditionHolds() {
    AtomicInteger calls = new AtomicInteger();
    Await.until("three", Duration.ofSeconds(10), () -> calls.incrementAndGet() == 3);
    assertThat(calls).hasValue(3);
  }

  @Test
  void failsWithTheDescriptionAndTheLastException() {
    assertThatThrownBy(
            () ->
                Await.until(
                    "the moon is blue",
                    Duration.ofMillis(30),
                    () -> {
                      throw new IOException("it is grey");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the moon is blue")
        .hasMessageContaining("it is grey")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void doesNotOutliveAnInterrupt() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("never", Duration.ofMinutes(5), () -> false))
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
