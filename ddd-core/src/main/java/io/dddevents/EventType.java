// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable wire name of an event class. It is the RabbitMQ routing key, and it stays when the
 * class is renamed or moved. Without this annotation the fully qualified class name is the name.
 *
 * <p>A name consists of words of letters, digits, {@code _}, {@code $} and {@code -}, separated by
 * single dots, at most {@value EventLimits#TYPE_LENGTH} characters.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventType {

  /** The wire name, for example {@code order.placed}. */
  String value();

  /** The version of the payload's shape; counted from 1. */
  int version() default 1;

  /** Names under which consumers still accept this event because it was once published so. */
  String[] aliases() default {};
}
