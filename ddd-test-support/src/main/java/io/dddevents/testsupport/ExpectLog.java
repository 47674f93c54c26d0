// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.slf4j.event.Level;

/**
 * Permits, under {@link LogGuard}, warnings or errors that a test provokes, and by default requires
 * that they are logged.
 *
 * <p>On a method it speaks of that test. On a class it permits the line in each of its tests and
 * requires it once in all of them together.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(ExpectLogs.class)
public @interface ExpectLog {
  /** The level of the line, exactly. */
  Level value();

  /** A regular expression that is found in the logger's name. Defaults to any logger. */
  String logger() default "";

  /** A regular expression that is found in the formatted message. Defaults to any message. */
  String message() default "";

  /** Whether the line must appear. False for what a fault may or may not provoke. */
  boolean required() default true;
}
