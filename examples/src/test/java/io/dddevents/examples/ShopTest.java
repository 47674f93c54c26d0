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
    assertThat(lines).hasSize(4);
    assertThat(lines[0]).startsWith("raised     OrderPlaced[orderId=");
    assertThat(lines[1]).startsWith("stored     order.placed of Order ");
    assertThat(lines[2]).startsWith("published");
    assertThat(lines[3]).startsWith("received").contains("\"article\":\"teapot\"");
  }
}
