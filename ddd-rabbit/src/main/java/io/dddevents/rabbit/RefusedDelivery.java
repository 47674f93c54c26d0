// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

/** A message that no retry can help: it is parked at once. The text quotes nothing it contains. */
final class RefusedDelivery extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ParkReason reason;

  RefusedDelivery(ParkReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  ParkReason reason() {
    return reason;
  }
}
