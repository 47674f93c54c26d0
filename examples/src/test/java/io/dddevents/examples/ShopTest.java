// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class ShopTest {

  @Test
  void oneOrderGoesTheWholeWay() throws Exception {
    ByteArrayOutputStream story = new ByteArrayOutputStream();
    new Shop(new PrintStream(story, true, UTF_8)).run();
    String[] lines = story.toString(UTF_8).split("\\R");
    assertThat(lines).hasSize(5);
    assertThat(lines[0]).startsWith("raised     OrderPlaced[orderId=");
    assertThat(lines).anyMatch(line -> line.startsWith("stored"));
    assertThat(lines)
        .anyMatch(line -> line.matches("handled +event .*order\\.placed v1.*shipping"));
    assertThat(lines).contains("published  1 event, confirmed and routed");
    assertThat(lines[4]).startsWith("ledger").endsWith("ships one teapot");
  }
}
