// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;

/**
 * Keeps a factory's {@link Capture} where {@link Capture#of} finds it, and listens to nothing: the
 * sessions are captured by {@link OutboxInterceptor}.
 */
final class PassiveListener implements FlushEventListener, CaptureHolder {

  private static final long serialVersionUID = 1L;

  // Hibernate declares listeners serialisable and serialises none.
  private final transient Capture capture;

  PassiveListener(Capture capture) {
    this.capture = capture;
  }

  @Override
  public Capture capture() {
    return capture;
  }

  @Override
  public void onFlush(FlushEvent event) {}
}
