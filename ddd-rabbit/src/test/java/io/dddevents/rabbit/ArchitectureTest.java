// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.dddevents.testsupport.arch.ArchitectureRules;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

  private static final JavaClasses MAIN = ArchitectureRules.mainClassesOf(RabbitPublisher.class);

  @Test
  void rabbitDependsOnCoreTheClientAndSlf4j() {
    ArchitectureRules.dependsOnlyOn(
            "io.dddevents.rabbit..",
            "java..",
            "javax.net..",
            "org.jspecify..",
            "org.slf4j..",
            "com.rabbitmq.client..",
            "io.dddevents",
            "io.dddevents.rabbit..")
        .check(MAIN);
  }

  @Test
  void tlsAlwaysVerifies() {
    noClasses()
        .should()
        .callMethod(ConnectionFactory.class, "useTlsWithNoVerification")
        .orShould()
        .callMethod(ConnectionFactory.class, "useSslProtocol")
        .orShould()
        .callMethod(ConnectionFactory.class, "useSslProtocol", String.class)
        .because("these trust whom the client likes; an SSLContext says whom we trust")
        .check(MAIN);
  }

  @Test
  void nobodyWaitsForConfirmsByTheClient() {
    noClasses()
        .should()
        .callMethod(Channel.class, "waitForConfirms")
        .orShould()
        .callMethod(Channel.class, "waitForConfirmsOrDie")
        .because("on a recovered channel that waits for nothing and succeeds")
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
