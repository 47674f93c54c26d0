// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.testsupport.EmbeddedBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class QpidPublisherTest extends PublisherContract {

  private @Nullable EmbeddedBroker broker;

  @BeforeAll
  void startBroker() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  void stopBroker() {
    broker().close();
  }

  private EmbeddedBroker broker() {
    if (broker == null) {
      throw new IllegalStateException("no broker yet");
    }
    return broker;
  }

  @Override
  String uri(int port) {
    return broker().uri(port);
  }

  @Override
  int port() {
    return broker().port();
  }
}
