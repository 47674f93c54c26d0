// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What the fixtures have opened and a test has to close; {@link LeakGuard} reads it. */
final class OpenThings {
  private record Entry(String description, BooleanSupplier open) {}

  private static final Map<Object, Entry> entries = new LinkedHashMap<>();

  private OpenThings() {}

  static synchronized void add(Object thing, String description, BooleanSupplier open) {
    entries.values().removeIf(entry -> !entry.open().getAsBoolean());
    entries.put(thing, new Entry(description, open));
  }

  /** For what belongs to the JVM and not to a test. */
  static synchronized void remove(Object thing) {
    entries.remove(thing);
  }

  static synchronized Map<Object, String> stillOpen() {
    Map<Object, String> open = new LinkedHashMap<>();
    entries.forEach(
        (thing, entry) -> {
          if (entry.open().getAsBoolean()) {
            open.put(thing, entry.description());
          }
        });
    return open;
  }
}
