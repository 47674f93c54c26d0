// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.util.Objects;

/**
 * A user and its password. The text form shows neither.
 *
 * @param user the user's name
 * @param password the password
 */
public record RabbitCredentials(String user, String password) {

  /** Refuses a blank user. */
  public RabbitCredentials {
    Objects.requireNonNull(password, "password");
    if (user.isBlank()) {
      throw new IllegalArgumentException("user must not be blank");
    }
  }

  /** Shows neither. */
  @Override
  public String toString() {
    return "credentials (hidden)";
  }
}
