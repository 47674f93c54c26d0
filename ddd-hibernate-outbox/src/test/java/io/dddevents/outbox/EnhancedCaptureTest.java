// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the whole suite with classes that Hibernate has enhanced. */
final class EnhancedCaptureTest {

  @Test
  void theWholeSuiteHoldsForEnhancedClasses() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader enhancing = new EnhancingLoader(EnhancedCaptureTest.class.getClassLoader());
    Class<?> suite = enhancing.loadClass(EnhancedCapture.class.getName());
    Outcome outcome = new Outcome();
    thread.setContextClassLoader(enhancing);
    try {
      LauncherFactory.create().execute(request(suite), outcome);
    } finally {
      thread.setContextClassLoader(before);
    }

    assertThat(outcome.failures).isEmpty();
    assertThat(outcome.passed).hasSizeGreaterThan(70).containsAll(tests(H2CaptureTest.class));
    assertThat(outcome.passed).hasSameSizeAs(tests(EnhancedCapture.class));
  }

  /** Found by the same engine, with the classes as they are. */
  private static List<String> tests(Class<?> type) {
    TestPlan plan = LauncherFactory.create().discover(request(type));
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .filter(TestIdentifier::isTest)
        .map(TestIdentifier::getDisplayName)
        .toList();
  }

  private static LauncherDiscoveryRequest request(Class<?> type) {
    return LauncherDiscoveryRequestBuilder.request().selectors(selectClass(type)).build();
  }

  /** What came of each test. */
  private static final class Outcome implements TestExecutionListener {

    private final List<String> passed = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() != Status.SUCCESSFUL) {
        failures.add(test.getDisplayName() + ": " + result.getThrowable().orElse(null));
      } else if (test.isTest()) {
        passed.add(test.getDisplayName());
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      failures.add(test.getDisplayName() + " was skipped: " + reason);
    }
  }
}
