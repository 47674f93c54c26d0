// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The few things the fixtures ask of the operating system. */
final class Os {
  /** Below the range from which Linux takes the ports of outgoing connections. */
  private static final int FIRST_PORT = 20_000;

  private static final int LAST_PORT = 32_000;

  /** The default port on which RabbitMQ nodes talk to each other; it is not ours to take. */
  private static final Set<Integer> NOT_OURS = Set.of(25_672);

  private Os() {}

  /**
   * A port nobody listens on. It stays ours over a restart of the server in practice, because the
   * kernel never gives a port of this range to an outgoing connection.
   */
  static int freePort() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
      if (!NOT_OURS.contains(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + FIRST_PORT + " and " + LAST_PORT);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  static boolean isRoot() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  /** Sends the signal by the shell's own kill, because a slim machine has no kill program. */
  static void signal(String name, long pid) {
    run(Path.of("."), Map.of(), List.of("sh", "-c", "kill -" + name + " " + pid));
  }

  /** Runs a short command to its end and returns what it printed. */
  static String run(Path directory, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    Reaper.mark(builder);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      awaitExit(process, Duration.ofSeconds(60));
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with " + process.exitValue() + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", command), e);
    }
  }

  static void awaitExit(Process process, Duration timeout) {
    boolean ended;
    try {
      ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = false;
    }
    if (!ended) {
      throw new AssertionError("process " + process.pid() + " still runs after " + timeout);
    }
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + folder, e);
    }
  }

  static Path folder(Path parent, String name) {
    try {
      return Files.createDirectories(parent.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines of the file, for failure messages. */
  static String tail(Path file) {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }
}
