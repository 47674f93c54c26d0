// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * An event type as it travels: the name and the version of the payload's shape.
 *
 * @param name words separated by dots, for example {@code order.placed}
 * @param version counted from 1
 */
public record WireName(String name, int version) {

  /** Refuses a name or version that could not travel as a routing key. */
  public WireName {
    Text.requireWords("event type", name, EventLimits.TYPE_LENGTH);
    if (version < 1 || version > EventLimits.TYPE_VERSION) {
      throw new EventRefusedException(
          "event type '"
              + name
              + "' has version "
              + version
              + "; use a version from 1 to "
              + EventLimits.TYPE_VERSION);
    }
  }

  /** The name and version in the form {@code order.placed v1}. */
  @Override
  public String toString() {
    return name + " v" + version;
  }
}
