// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

/** Places on a delivery's way at which a crash makes a difference; tests stop there. */
enum Checkpoint {
  RECEIVED,
  BEFORE_COMMIT,
  BEFORE_ACK
}
