// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main class of every {@link ChildJvm}: runs the real one, and ends the JVM when its parent has
 * ended.
 */
public final class ChildMain {
  static final String GO = "GO ";

  private static final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ChildMain() {}

  /** Runs the main class named by the first argument with the other arguments. */
  public static void main(String[] args) throws Exception {
    Thread reader = new Thread(ChildMain::read, "child-stdin");
    reader.setDaemon(true);
    reader.start();
    try {
      var main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
      // So that the main of a test can be package-private, as everything in a test is.
      main.setAccessible(true);
      main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** The next line that the parent has sent with {@link ChildJvm#send}; waits for it. */
  public static String nextLine() throws InterruptedException {
    return lines.take();
  }

  private static void read() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(GO)) {
          FailPoints.go(line.substring(GO.length()));
        } else {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      // A broken pipe says the same as the end of it: nobody is there.
      lines.clear();
    }
    // Halt and not exit: shutdown hooks may wait for something that stands at a fail point.
    Runtime.getRuntime().halt(99);
  }
}
