// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * Who does something to the outbox, and why. Both stand in the audit table.
 *
 * @param who the person or program, 1 to 200 characters
 * @param why the reason, 1 to 500 characters
 */
public record Operator(String who, String why) {

  /** Refuses blank and overlong texts. */
  public Operator {
    require("who", who, 200);
    require("why", why, 500);
  }

  private static void require(String field, String text, int most) {
    if (text.isBlank() || text.length() > most) {
      throw new IllegalArgumentException(
          field + " has 1 to " + most + " characters, not " + text.strip().length());
    }
  }
}
