// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

/**
 * Is told of every event that failed for good. Called on a thread of its own, one event after the
 * other; when it is slower than events fail, those that find a thousand waiting are not told. The
 * event itself is safe whatever a listener does.
 */
@FunctionalInterface
public interface FailureListener {

  /** An event failed. What is thrown here is logged once and changes nothing. */
  void onFailed(FailedEvent event);
}
