// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs a test class inside a test. */
final class Running {
  private Running() {}

  /** The failure message of each test and class that failed, by its name. */
  static Map<String, String> failuresOf(Class<?> testClass) {
    Map<String, String> failures = new TreeMap<>();
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(testClass))
        .execute()
        .allEvents()
        .finished()
        .stream()
        .forEach(event -> add(failures, event));
    return failures;
  }

  private static void add(Map<String, String> failures, Event event) {
    event
        .getPayload(TestExecutionResult.class)
        .flatMap(TestExecutionResult::getThrowable)
        .ifPresent(t -> failures.put(event.getTestDescriptor().getDisplayName(), t.getMessage()));
  }
}
