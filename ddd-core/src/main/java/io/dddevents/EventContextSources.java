// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The sources named by the class path. A raise happens inside a domain object that nobody wires, so
 * the sources cannot be handed in; they are read once, from the loader that holds this library.
 */
final class EventContextSources {

  private static final List<EventContextSource> ALL =
      ServiceLoader.load(EventContextSource.class, EventContextSource.class.getClassLoader())
          .stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private EventContextSources() {}

  static Iterator<EventContextSource> iterator() {
    return ALL.iterator();
  }
}
