// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Decides what happens when a test needs a server that this machine does not have: the test is
 * reported as skipped, with the reason; where {@code DDD_TEST_REQUIRE_REAL=true} it fails instead.
 */
public final class RealServices {
  static final String REQUIRE = "DDD_TEST_REQUIRE_REAL";

  private RealServices() {}

  /** Whether a missing server is a failure. True in CI. */
  public static boolean required() {
    return Boolean.parseBoolean(System.getenv(REQUIRE));
  }

  /**
   * Gives up the running test, because the service is missing.
   *
   * @return nothing, ever; the type lets callers write {@code throw RealServices.missing(...)}
   */
  public static AssertionError missing(String service, String aptPackage) {
    return missing(service, aptPackage, required());
  }

  static AssertionError missing(String service, String aptPackage, boolean required) {
    String reason =
        service + " is not available: run ./verify, it installs it (package '" + aptPackage + "')";
    if (required) {
      throw new AssertionError(reason + "; " + REQUIRE + "=true makes this a failure");
    }
    Assumptions.abort(reason);
    throw new AssertionError("unreachable: the assumption aborts");
  }

  /** The setting of the environment, if it is there and not blank. */
  static Optional<String> setting(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }

  /** The program, looked for in the folders given and then where the system keeps programs. */
  static Optional<Path> program(String name, String... preferredFolders) {
    // Daemons live in sbin, which is not on the PATH of an ordinary Debian user.
    Stream<String> usual =
        Stream.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
    return Stream.of(Stream.of(preferredFolders), path().stream(), usual)
        .flatMap(folders -> folders)
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static List<String> path() {
    return setting("PATH").stream()
        .flatMap(Pattern.compile(":")::splitAsStream)
        .filter(folder -> !folder.isBlank())
        .toList();
  }
}
