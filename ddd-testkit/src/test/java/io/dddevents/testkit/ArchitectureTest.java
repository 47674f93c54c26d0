// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testkit;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dddevents.testsupport.arch.ArchitectureRules;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

  private static final JavaClasses MAIN = ArchitectureRules.mainClassesOf(EventAssertions.class);

  @Test
  void theTestkitDependsOnCoreAndOnNoTestFramework() {
    ArchitectureRules.dependsOnlyOn(
            "io.dddevents.testkit",
            "java..",
            "org.jspecify..",
            "io.dddevents",
            "io.dddevents.testkit")
        .check(MAIN);
  }

  @Test
  void timeIsADependency() {
    ArchitectureRules.timeIsADependency().check(MAIN);
  }

  @Test
  void nothingIsPrinted() {
    ArchitectureRules.nothingIsPrinted().check(MAIN);
  }

  @Test
  void dataNeverNamesCode() {
    ArchitectureRules.dataNeverNamesCode().check(MAIN);
  }

  @Test
  void concreteClassesAreFinal() {
    ArchitectureRules.concreteClassesAreFinal().check(MAIN);
  }

  @Test
  void namesSayWhatThingsAre() {
    ArchitectureRules.namesSayWhatThingsAre().check(MAIN);
  }

  @Test
  void nothingIsInjectedIntoFields() {
    ArchitectureRules.nothingIsInjectedIntoFields().check(MAIN);
  }

  @Test
  void thePublicTypesAreTheListedOnes() throws IOException {
    ArchitectureRules.checkPublicTypes(MAIN, ArchitectureTest.class);
  }
}
