// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A main class in a JVM of its own, on the class path of this one, for tests that kill or freeze
 * it. It ends when this JVM ends, however that happens.
 *
 * <p>Safe for many threads. Each line of its output is awaited at most once: {@link #awaitLine}
 * looks on from behind the line it returned last.
 */
public final class ChildJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SHOWN_LINES = 50;

  private final String name;
  private final Process process;
  private final List<String> output = new ArrayList<>();
  private int awaited;
  private boolean outputEnded;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Describes a child that runs the main method of the class. */
  public static Builder of(Class<?> mainClass) {
    return new Builder(mainClass);
  }

  /** What a child is started with. */
  public static final class Builder {
    private final Class<?> mainClass;
    private final List<String> options = new ArrayList<>(List.of("-Xmx256m", "-Xshare:auto"));
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();

    private Builder(Class<?> mainClass) {
      this.mainClass = mainClass;
    }

    /** Arguments of the main method, after those given before. */
    public Builder args(String... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    /** A system property. */
    public Builder property(String key, String value) {
      options.add("-D" + key + "=" + value);
      return this;
    }

    /** An environment variable. */
    public Builder env(String key, String value) {
      environment.put(key, value);
      return this;
    }

    /** Options of the JVM such as {@code -Xmx64m}. The heap defaults to 256 MB. */
    public Builder jvmOptions(String... more) {
      options.addAll(List.of(more));
      return this;
    }

    /** The fail points at which the child stands still. */
    public Builder failPoints(String... names) {
      return property(FailPoints.PROPERTY, String.join(",", names));
    }

    /** Starts the child. */
    public ChildJvm start() {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(options);
      command.addAll(List.of("-cp", classPath()));
      command.addAll(List.of(ChildMain.class.getName(), mainClass.getName()));
      command.addAll(arguments);
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Reaper.mark(builder);
      try {
        ChildJvm child = new ChildJvm(mainClass.getSimpleName(), builder.start());
        Reaper.watch(child.process);
        OpenThings.add(child, child.toString(), child::isAlive);
        child.readOutput();
        return child;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String classPath() {
      // Surefire may start this JVM from a jar that only names the class path.
      String real = System.getProperty("surefire.test.class.path");
      return real == null ? System.getProperty("java.class.path") : real;
    }
  }

  private void readOutput() {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader in =
                  new BufferedReader(
                      new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  add(line);
                }
              } catch (IOException e) {
                add("(output lost: " + e + ")");
              }
              end();
            },
            "fixture-output-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private synchronized void add(String line) {
    output.add(line);
    notifyAll();
  }

  private synchronized void end() {
    outputEnded = true;
    notifyAll();
  }

  /** Waits for the next line that contains a match of the regular expression. */
  public String awaitLine(String regex, Duration timeout) {
    return awaitLine("/" + regex + "/", Pattern.compile(regex).asPredicate(), timeout);
  }

  /** Waits for the next line that the predicate accepts. */
  public String awaitLine(Predicate<String> predicate, Duration timeout) {
    return awaitLine("a line", predicate, timeout);
  }

  private synchronized String awaitLine(String what, Predicate<String> wanted, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      while (awaited < output.size()) {
        String line = output.get(awaited++);
        if (wanted.test(line)) {
          return line;
        }
      }
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (outputEnded || millis <= 0) {
        throw new AssertionError(
            this + (outputEnded ? " ended" : " ran for " + timeout) + " without " + what + shown());
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }

  private String shown() {
    int from = Math.max(0, output.size() - SHOWN_LINES);
    return "; its output ends with:\n" + String.join("\n", output.subList(from, output.size()));
  }

  /** Waits until the child stands at the armed fail point. */
  public void awaitFailPoint(String point) {
    awaitLine("the fail point " + point, (FailPoints.REACHED + point)::equals, PATIENCE);
  }

  /** Lets the child go on from the fail point, and pass it from now on. */
  public void go(String point) {
    send(ChildMain.GO + point);
  }

  /** Sends a line, which the child reads with {@link ChildMain#nextLine}. */
  public void send(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(this + " does not read", e);
    }
  }

  /** What the child sees when this JVM dies. */
  void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything printed so far, standard error included. */
  public synchronized List<String> output() {
    return List.copyOf(output);
  }

  /** Kills it with kill -9 and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitExit(PATIENCE);
  }

  /** Asks it to end (SIGTERM); shutdown hooks run. Does not wait. */
  public void terminate() {
    Os.signal("TERM", pid());
  }

  /** Stops all its threads (SIGSTOP), as a long pause of the machine would. */
  public void freeze() {
    Os.signal("STOP", pid());
  }

  /** Lets a frozen child go on (SIGCONT). */
  public void thaw() {
    Os.signal("CONT", pid());
  }

  /** Waits for its end and returns its exit code; 128 + n stands for the signal n. */
  public int awaitExit(Duration timeout) {
    Os.awaitExit(process, timeout);
    return process.exitValue();
  }

  /** Its exit code. It must have ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Whether it has not ended; a frozen child is alive. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Kills it if it still runs. */
  @Override
  public void close() {
    kill();
  }

  @Override
  public String toString() {
    return "child JVM " + name + " (pid " + process.pid() + ")";
  }
}
