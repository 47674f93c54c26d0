// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.dddevents.testsupport.arch.ArchitectureRules;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules that this module keeps. */
final class ArchitectureTest {

  private static final JavaClasses MAIN = ArchitectureRules.mainClassesOf(Outbox.class);

  @Test
  void theOutboxDependsOnCoreHibernateAndItsStandardsOnly() {
    ArchitectureRules.dependsOnlyOn(
            "io.dddevents.outbox..",
            "java..",
            "javax.sql..",
            "org.jspecify..",
            "org.slf4j",
            "io.dddevents..",
            "jakarta.persistence..",
            "jakarta.transaction..",
            "org.hibernate..",
            "org.quartz..",
            "io.micrometer..")
        .check(MAIN);
  }

  @Test
  void theOutboxDoesNotKnowTheBroker() {
    ArchitectureRules.onlyTheseTouch(List.of(), "com.rabbitmq..").check(MAIN);
  }

  @Test
  void onlyTheJtaClassTouchesJta() {
    ArchitectureRules.onlyTheseTouch(List.of("CallersTransaction"), "jakarta.transaction..")
        .check(MAIN);
  }

  @Test
  void onlyTheDefaultSerializerIsTakenFromJackson() {
    ArchitectureRules.onlyTheseTouch(List.of("OutboxSettings"), "io.dddevents.jackson..")
        .check(MAIN);
  }

  @Test
  void timeIsADependency() {
    ArchitectureRules.timeIsADependency().check(MAIN);
  }

  @Test
  void onlyTheCommandLinePrints() {
    ArchitectureRules.nothingIsPrinted()
        .check(
            MAIN.that(
                describe(
                    "other than SchemaMain",
                    type -> !type.getName().equals(SchemaMain.class.getName()))));
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
