// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import tools.jackson.databind.node.ObjectNode;

/**
 * Turns a payload of one version into the next. Changes the given tree or returns another one; safe
 * for many threads.
 */
@FunctionalInterface
public interface Upcaster {

  /** The payload in the shape of the next version. */
  ObjectNode upcast(ObjectNode payload);
}
