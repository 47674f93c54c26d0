// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/** A listener by which a factory's capture can be found again. */
interface CaptureHolder {

  Capture capture();
}
