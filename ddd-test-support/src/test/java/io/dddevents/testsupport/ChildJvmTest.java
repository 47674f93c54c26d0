// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class ChildJvmTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Answers each line it is sent; "fail point" makes it pass one. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] args) throws Exception {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("terminated")));
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      System.out.println(
          "hello %s %s %s %d"
              .formatted(args[0], System.getProperty("frog"), System.getenv("POND"), megabytes));
      for (String line = ChildMain.nextLine(); ; line = ChildMain.nextLine()) {
        if (line.equals("fail point")) {
          FailPoints.reach("not-armed");
          FailPoints.reach("armed");
        }
        if (line.equals("exit")) {
          System.exit(7);
        }
        System.out.println("echo " + line);
      }
    }
  }

  private static ChildJvm start() {
    ChildJvm child =
        ChildJvm.of(Echo.class)
            .args("world")
            .property("frog", "green")
            .env("POND", "deep")
            .jvmOptions("-Xmx32m")
            .failPoints("armed", "other")
            .start();
    child.awaitLine("^hello", SOON);
    return child;
  }

  @Test
  void getsItsArgumentsPropertiesEnvironmentAndHeap() {
    try (ChildJvm child = start()) {
      assertThat(child.output()).anyMatch(line -> line.matches("hello world green deep 3\\d"));
    }
  }

  @Test
  void talksByLinesAndEndsWithItsExitCode() {
    try (ChildJvm child = start()) {
      child.send("one");
      child.send("two");
      assertThat(child.awaitLine("echo", SOON)).isEqualTo("echo one");
      assertThat(child.awaitLine(line -> line.endsWith("two"), SOON)).isEqualTo("echo two");
      child.send("exit");
      assertThat(child.awaitExit(SOON)).isEqualTo(7);
      assertThat(child.exitCode()).isEqualTo(7);
      assertThatThrownBy(() -> child.awaitLine("more", SOON))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("more")
          .hasMessageContaining("echo two");
    }
  }

  @Test
  void standsAtAnArmedFailPointUntilItMayGo() {
    try (ChildJvm child = start()) {
      child.send("fail point");
      child.awaitFailPoint("armed");
      assertThat(child.output()).doesNotContain("echo fail point", "FAILPOINT not-armed");
      child.go("armed");
      child.awaitLine("echo fail point", SOON);
    }
  }

  @Test
  void killGivesItNoTimeToSayGoodbye() {
    try (ChildJvm child = start()) {
      child.send("fail point");
      child.awaitFailPoint("armed");
      child.kill();
      assertThat(child.exitCode()).isEqualTo(128 + 9);
      assertThat(child.output()).doesNotContain("terminated");
    }
  }

  @Test
  void terminateRunsItsShutdownHooks() {
    try (ChildJvm child = start()) {
      child.terminate();
      child.awaitLine("terminated", SOON);
      assertThat(child.awaitExit(SOON)).isEqualTo(128 + 15);
    }
  }

  @Test
  void aFrozenChildAnswersAfterItIsThawed() {
    try (ChildJvm child = start()) {
      child.freeze();
      child.send("cold");
      assertThat(child.isAlive()).isTrue();
      assertThatThrownBy(() -> child.awaitLine("echo cold", Duration.ofMillis(200)))
          .isInstanceOf(AssertionError.class);
      child.thaw();
      child.awaitLine("echo cold", SOON);
    }
  }

  @Test
  void endsByItselfWhenItsParentIsGoneEvenAtAFailPoint() {
    try (ChildJvm child = start()) {
      child.send("fail point");
      child.awaitFailPoint("armed");
      child.closeInput();
      assertThat(child.awaitExit(SOON)).isEqualTo(99);
    }
  }
}
