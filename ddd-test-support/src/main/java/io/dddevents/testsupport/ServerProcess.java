// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** One running server program with its log. */
final class ServerProcess {
  private final String name;
  private final Process process;
  private final Path log;

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts the command in the folder; what it prints goes to a log in that folder. */
  static ServerProcess start(
      String name, Path folder, Map<String, String> environment, List<String> command) {
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Reaper.mark(builder);
    try {
      Process process = builder.start();
      Reaper.watch(process);
      return new ServerProcess(name, process, log);
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + name, e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until the server answers; fails at once, with its log, if it ends instead. */
  void awaitReady(Duration timeout, Callable<Boolean> answers) {
    try {
      Await.until(name + " answers", timeout, () -> !isAlive() || answers.call());
    } catch (AssertionError e) {
      process.destroyForcibly();
      throw new AssertionError(e.getMessage() + "\n" + Os.tail(log), e);
    }
    if (!isAlive()) {
      throw new AssertionError(name + " ended during its start:\n" + Os.tail(log));
    }
  }

  void signalAndAwaitExit(String signal) {
    if (isAlive()) {
      Os.signal(signal, pid());
    }
    Os.awaitExit(process, Duration.ofSeconds(60));
  }

  void awaitExit() {
    Os.awaitExit(process, Duration.ofSeconds(60));
  }
}
