// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the named tests and wants each of them to fail; a name that no test has is an error too. */
final class ExpectedFailures implements InvocationInterceptor, AfterAllCallback {

  /** The names of the tests. */
  @Inherited
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Of {
    String[] value();
  }

  private final Set<String> seen = new HashSet<>();

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> test,
      ExtensionContext context)
      throws Throwable {
    String name = test.getExecutable().getName();
    if (!expected(context).contains(name)) {
      invocation.proceed();
      return;
    }
    seen.add(name);
    try {
      invocation.proceed();
    } catch (Throwable e) {
      return;
    }
    throw new AssertionError(name + " works now: take it off the list, and out of the Javadoc");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Set<String> missing = new HashSet<>(expected(context));
    missing.removeAll(seen);
    if (!missing.isEmpty()) {
      throw new AssertionError("no such tests: " + missing);
    }
  }

  private static Set<String> expected(ExtensionContext context) {
    Of names = context.getRequiredTestClass().getAnnotation(Of.class);
    return Set.copyOf(Arrays.asList(names.value()));
  }
}
