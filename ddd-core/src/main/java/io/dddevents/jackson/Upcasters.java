// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.EventTypes;
import io.dddevents.WireName;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The steps from old payloads to new ones, each from one version to the next. */
final class Upcasters {

  private final Map<WireName, Upcaster> steps = new HashMap<>();

  /** An upcaster may be registered under a former name of its event: both names lead to it. */
  Upcasters(Map<WireName, Upcaster> upcasters, EventTypes types) {
    upcasters.forEach(
        (from, upcaster) -> {
          WireName current = new WireName(types.currentName(from.name()), from.version());
          if (steps.putIfAbsent(current, upcaster) != null) {
            throw new IllegalArgumentException(
                "two upcasters are registered for " + current + ", one under an alias");
          }
        });
  }

  boolean leadFrom(WireName type) {
    return steps.containsKey(type);
  }

  /** The type at the end of all steps. */
  WireName target(WireName from) {
    WireName type = from;
    while (steps.containsKey(type)) {
      type = next(type);
    }
    return type;
  }

  ObjectNode upcast(WireName from, ObjectNode payload) {
    ObjectNode current = payload;
    WireName type = from;
    for (Upcaster step = steps.get(type); step != null; step = steps.get(type)) {
      current = step.upcast(current);
      type = next(type);
    }
    return current;
  }

  private static WireName next(WireName type) {
    return new WireName(type.name(), type.version() + 1);
  }
}
