// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.testsupport.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * On an embedded file with WRITE_DELAY=0: here the database dies with the JVM. With one writer,
 * because H2 itself (2.5.252) can tear a transaction if it is killed under several: plain JDBC with
 * eight writers left two of three tables without their row in 1 of 120 kills. A file that had lived
 * through 40 kills once lost an acknowledged commit, with one writer too. H2 is for development.
 */
final class H2KillFaultsTest extends KillFaults {

  H2KillFaultsTest() {
    super(() -> Database.h2File(folder()), true);
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory(Path.of("target"), "h2-kill");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
