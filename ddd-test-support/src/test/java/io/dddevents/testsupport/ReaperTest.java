// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class ReaperTest {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(15);

  /** Starts one of everything that is a process, tells their ids, and waits to be killed. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) throws Exception {
      List<Long> pids = new ArrayList<>();
      for (String server : args) {
        pids.add(
            switch (server) {
              case "postgres" -> PostgresServer.shared().pid();
              case "mariadb" -> MariaDbServer.shared().pid();
              default -> RabbitNode.shared().pid();
            });
      }
      ChildJvm child = ChildJvm.of(Idler.class).start();
      child.awaitLine("idle", SOON);
      child.freeze();
      pids.add(child.pid());
      System.out.println("folder " + Reaper.newFolder("x").getParent());
      System.out.println("started " + pids.stream().map(String::valueOf).collect(joining(" ")));
      if (ChildMain.nextLine().equals("exit")) {
        System.exit(0);
      }
    }
  }

  static final class Idler {
    private Idler() {}

    public static void main(String[] args) throws Exception {
      System.out.println("idle");
      ChildMain.nextLine();
    }
  }

  @Test
  void nothingSurvivesAJvmThatIsKilled() {
    for (String program : List.of("rabbitmq-server", "mariadbd")) {
      if (RealServices.program(program).isEmpty()) {
        throw RealServices.missing(program, "rabbitmq-server mariadb-server");
      }
    }
    endsAllAfter(ChildJvm::kill, "postgres", "mariadb", "rabbitmq");
  }

  @Test
  void nothingSurvivesAJvmThatExits() {
    endsAllAfter(
        jvm -> {
          jvm.send("exit");
          assertThat(jvm.awaitExit(START)).isZero();
        },
        "postgres");
  }

  private static void endsAllAfter(Consumer<ChildJvm> end, String... servers) {
    try (ChildJvm jvm = ChildJvm.of(Starter.class).args(servers).start()) {
      Path folder = Path.of(jvm.awaitLine("^folder ", START).substring("folder ".length()));
      List<Long> pids =
          Stream.of(jvm.awaitLine("^started ", START).split(" ", -1))
              .skip(1)
              .map(Long::valueOf)
              .toList();
      assertThat(pids).hasSize(servers.length + 1).allMatch(ReaperTest::isAlive);
      assertThat(processesIn(folder)).isGreaterThan(servers.length);
      end.accept(jvm);
      for (long pid : pids) {
        Await.until("process " + pid + " has ended", SOON, () -> !isAlive(pid));
      }
      // The helpers of the servers too: epmd, backends, the port programs of Erlang.
      Await.until("no process is left", SOON, () -> processesIn(folder) == 0);
      Await.until("the folder is removed", SOON, () -> !Files.exists(folder));
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static long processesIn(Path folder) {
    String script = "find /proc -maxdepth 2 -name cwd -lname \"$1/*\" 2>/dev/null || true";
    return Os.run(Path.of("/"), Map.of(), List.of("sh", "-c", script, "sh", folder.toString()))
        .lines()
        .count();
  }
}
