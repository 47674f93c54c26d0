// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.testsupport.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** On an embedded file with WRITE_DELAY=0: here the database dies with the JVM. */
final class H2KillFaultsTest extends KillFaults {

  H2KillFaultsTest() {
    super(() -> Database.h2File(folder()));
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory(Path.of("target"), "h2-kill");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
