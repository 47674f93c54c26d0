// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dddevents.testsupport.arch.ArchitectureRules;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

  private static final JavaClasses MAIN = ArchitectureRules.mainClassesOf(AggregateRoot.class);

  @Test
  void coreDependsOnNothing() {
    ArchitectureRules.dependsOnlyOn("io.dddevents", "java..", "org.jspecify..", "io.dddevents")
        .check(MAIN);
  }

  @Test
  void jsonDependsOnCoreAndJackson() {
    ArchitectureRules.dependsOnlyOn(
            "io.dddevents.jackson..",
            "java..",
            "org.jspecify..",
            "io.dddevents",
            "io.dddevents.jackson..",
            "tools.jackson..",
            "com.fasterxml.jackson.annotation..")
        .check(MAIN);
  }

  @Test
  void hashesAndRandomKeysHaveOnePlaceEach() {
    ArchitectureRules.onlyTheseTouch(List.of("EnvelopeHash", "EventIds"), "java.security..")
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
