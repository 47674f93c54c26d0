// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.time.Duration;

/** A handler ran longer than it may; its transaction was rolled back. */
final class HandlerTimeoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  HandlerTimeoutException(Duration timeout) {
    super("the handler ran longer than handlerTimeout (" + timeout + ")");
  }
}
