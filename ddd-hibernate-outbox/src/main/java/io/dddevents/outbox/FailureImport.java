// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reads a failure file line by line; a line that a crash cut off is reported, not guessed. */
final class FailureImport {

  private final Path file;
  private final Predicate<FailureRecord> importer;

  /**
   * @param importer says whether the event was new
   */
  FailureImport(Path file, Predicate<FailureRecord> importer) {
    this.file = file;
    this.importer = importer;
  }

  ImportResult run() {
    long imported = 0;
    long known = 0;
    List<Long> unreadable = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, US_ASCII)) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.isBlank()) {
          continue;
        }
        FailureRecord failure;
        try {
          failure = FailureRecord.ofLine(line);
        } catch (RuntimeException e) {
          unreadable.add(number);
          continue;
        }
        if (importer.test(failure)) {
          imported++;
        } else {
          known++;
        }
      }
    } catch (IOException e) {
      throw new OutboxException(
          "the failure file " + file.getFileName() + " cannot be read: " + e.getClass().getName(),
          e);
    }
    return new ImportResult(imported, known, unreadable);
  }
}
