// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a test during which anything in this JVM logged a warning or an error that no {@link
 * ExpectLog} permits, and a test that did not log what an {@code ExpectLog} requires. Lines from
 * outside of tests, such as a set-up of the class, fail the class.
 *
 * <p>Needs Logback. Tests that run in parallel would see each other's lines.
 */
public final class LogGuard
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LogGuard.class);

  /** For {@code ExtendWith}. */
  public LogGuard() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    // A nested class finds the recorder of its outer class and leaves it to that.
    if (context.getStore(NAMESPACE).get(LogRecorder.class) == null) {
      LogRecorder recorder = new LogRecorder(context.getUniqueId());
      recorder.start();
      root().addAppender(recorder);
      context.getStore(NAMESPACE).put(LogRecorder.class, recorder);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    recorder(context).testBegins();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    List<ExpectLog> ofTest =
        List.of(context.getRequiredTestMethod().getAnnotationsByType(ExpectLog.class));
    List<ExpectLog> permitted = new ArrayList<>(ofTest);
    permitted.addAll(permittedByClasses(context));
    List<ILoggingEvent> lines = recorder(context).takeFresh();
    judge(lines, permitted, lines, ofTest);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LogRecorder recorder = recorder(context);
    List<ILoggingEvent> outside = List.of();
    if (recorder.belongsTo(context.getUniqueId())) {
      root().detachAppender(recorder);
      recorder.stop();
      outside = recorder.takeOutsideOfTests();
    }
    judge(outside, permittedByClasses(context), recorder.all(), ofClass(context));
  }

  private static LogRecorder recorder(ExtensionContext context) {
    LogRecorder recorder = context.getStore(NAMESPACE).get(LogRecorder.class, LogRecorder.class);
    return Objects.requireNonNull(recorder, "LogGuard must be registered on the class");
  }

  private static Logger root() {
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger logger) {
      return logger;
    }
    throw new IllegalStateException("LogGuard needs Logback as the only SLF4J provider");
  }

  private static List<ExpectLog> permittedByClasses(ExtensionContext context) {
    List<ExpectLog> expected = new ArrayList<>(ofClass(context));
    for (Class<?> outer = context.getRequiredTestClass().getEnclosingClass();
        outer != null;
        outer = outer.getEnclosingClass()) {
      expected.addAll(ofClass(outer));
    }
    return expected;
  }

  private static List<ExpectLog> ofClass(ExtensionContext context) {
    return ofClass(context.getRequiredTestClass());
  }

  /** Those of the superclasses too: a contract says for all its subclasses what it provokes. */
  private static List<ExpectLog> ofClass(Class<?> testClass) {
    List<ExpectLog> expected = new ArrayList<>();
    for (Class<?> c = testClass; c != null; c = c.getSuperclass()) {
      expected.addAll(List.of(c.getDeclaredAnnotationsByType(ExpectLog.class)));
    }
    return expected;
  }

  private static void judge(
      List<ILoggingEvent> lines,
      List<ExpectLog> permitted,
      List<ILoggingEvent> candidates,
      List<ExpectLog> wanted) {
    List<String> faults = new ArrayList<>();
    lines.stream()
        .filter(line -> permitted.stream().noneMatch(expected -> matches(expected, line)))
        .forEach(line -> faults.add("unexpected " + describe(line)));
    wanted.stream()
        .filter(ExpectLog::required)
        .filter(expected -> candidates.stream().noneMatch(line -> matches(expected, line)))
        .forEach(expected -> faults.add("nothing logged for " + expected));
    if (!faults.isEmpty()) {
      throw new AssertionError("log: " + String.join("\n     ", faults));
    }
  }

  private static boolean matches(ExpectLog expected, ILoggingEvent line) {
    return line.getLevel().toString().equals(expected.value().name())
        && Pattern.compile(expected.logger()).matcher(line.getLoggerName()).find()
        && Pattern.compile(expected.message()).matcher(line.getFormattedMessage()).find();
  }

  private static String describe(ILoggingEvent line) {
    String cause =
        line.getThrowableProxy() == null
            ? ""
            : " ("
                + line.getThrowableProxy().getClassName()
                + ": "
                + line.getThrowableProxy().getMessage()
                + ")";
    return line.getLevel()
        + " of "
        + line.getLoggerName()
        + ": "
        + line.getFormattedMessage()
        + cause;
  }
}
