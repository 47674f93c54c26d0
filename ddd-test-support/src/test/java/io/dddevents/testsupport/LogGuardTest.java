// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class LogGuardTest {
  @Test
  void judgesEachTestByItsOwnLines() {
    Map<String, String> failures = Running.failuresOf(GuardedExamples.Logging.class);
    assertThat(failures)
        .containsOnlyKeys("unexpected()", "otherThanExpected()", "expectedButSilent()");
    assertThat(failures.get("unexpected()")).contains("WARN of pond: the pond is leaking");
    assertThat(failures.get("otherThanExpected()"))
        .contains("unexpected ERROR of pond: a heron")
        .contains("nothing logged for");
  }

  @Test
  void onAClassOneLineInAnyTestIsEnough() {
    assertThat(Running.failuresOf(GuardedExamples.ClassWide.class)).isEmpty();
    assertThat(Running.failuresOf(GuardedExamples.ClassWideSilent.class))
        .containsOnlyKeys("GuardedExamples$ClassWideSilent")
        .allSatisfy((name, message) -> assertThat(message).contains("never"));
  }
}
