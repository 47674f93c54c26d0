// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.UUID;

/*
 * A shutdown hook does not run when the test JVM is killed with kill -9, and then a broker and two
 * databases would stay behind. So the first fixture of a JVM starts a shell that does nothing but
 * read a pipe from this JVM. The kernel closes that pipe however the JVM ends; the shell then kills
 * what the JVM had started and removes its folder.
 *
 * It finds its victims in three ways, because each alone has a hole:
 * - by the process ids it was told, which misses what a server forks, and what was started in the
 *   instant before the JVM died;
 * - by a mark in their environment, which PostgreSQL overwrites with its process titles;
 * - by a working directory inside our folder, which a daemon leaves.
 * The last two need /proc, and for servers of another user a right that containers often lack.
 */
/** Ends everything that the fixtures of this JVM started, even if the JVM is killed. */
final class Reaper {
  private static final String MARK = "DDD_TEST_RUN";

  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      told=' '
      while read -r sign pid; do
        if [ "$sign" = + ]; then
          told="$told$pid "
        else
          told="${told%%" $pid "*} ${told#*" $pid "}"
        fi
      done
      found() {
        echo $told
        grep -lzxF "$1" /proc/[0-9]*/environ | cut -d/ -f3
        find /proc -maxdepth 2 -name cwd -lname "$2/*" | cut -d/ -f3
      }
      rounds=0
      while pids=$(found "$1" "$2") && [ -n "$pids" ] && [ $rounds -lt 50 ]; do
        kill -9 $pids
        told=' '
        rounds=$((rounds + 1))
        sleep 0.1
      done
      rm -rf "$2"
      """;

  private static final class Holder {
    static final Reaper INSTANCE = new Reaper();
  }

  private final String id = UUID.randomUUID().toString();
  private final Path folder;
  private final Process shell;

  private Reaper() {
    try {
      folder = Files.createTempDirectory("ddd-test-").toRealPath();
      // A PostgreSQL that runs as another user must be able to walk through.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", SCRIPT, "reaper", MARK + "=" + id, folder.toString())
              .directory(Path.of("/").toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      // In a child JVM this one carries the mark of the parent, whose reaper must not kill ours.
      builder.environment().remove(MARK);
      shell = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::reap, "fixture-reaper"));
  }

  /** A new, empty folder that is removed when this JVM has ended. */
  static Path newFolder(String prefix) {
    try {
      return Files.createTempDirectory(Holder.INSTANCE.folder, prefix + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Marks the processes to be built, and all that they start in turn, as ours. */
  static void mark(ProcessBuilder builder) {
    builder.environment().put(MARK, Holder.INSTANCE.id);
  }

  /** Remembers the running process until it ends. */
  static void watch(Process process) {
    Reaper reaper = Holder.INSTANCE;
    reaper.tell("+ " + process.pid());
    var unused = process.onExit().thenAccept(ended -> reaper.tell("- " + ended.pid()));
  }

  private synchronized void tell(String line) {
    if (!shell.isAlive()) {
      return;
    }
    try {
      OutputStream pipe = shell.getOutputStream();
      pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      // The pipe is closed only while the JVM ends, and then the shell is at work already.
      return;
    }
  }

  private void reap() {
    synchronized (this) {
      try {
        shell.getOutputStream().close();
      } catch (IOException e) {
        return;
      }
    }
    // A build that has ended should have left nothing, not nearly nothing.
    Os.awaitExit(shell, Duration.ofSeconds(20));
  }
}
