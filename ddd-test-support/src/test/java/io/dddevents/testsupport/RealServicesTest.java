// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RealServicesTest {
  @Test
  void aMissingServiceSkipsTheTestAndSaysHowToGetIt() {
    assertThatThrownBy(() -> RealServices.missing("FrogMQ", "frogmq-server", false))
        .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo("TestAbortedException"))
        .hasMessageContaining("FrogMQ is not available")
        .hasMessageContaining("./verify")
        .hasMessageContaining("frogmq-server");
  }

  @Test
  void aMissingServiceIsAFailureWhereItIsRequired() {
    assertThatThrownBy(() -> RealServices.missing("FrogMQ", "frogmq-server", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("FrogMQ is not available")
        .hasMessageContaining("DDD_TEST_REQUIRE_REAL");
  }

  @Test
  void programsAreFoundOrNot() {
    assertThat(RealServices.program("sh")).isPresent();
    assertThat(RealServices.program("no-such-program")).isEmpty();
  }
}
