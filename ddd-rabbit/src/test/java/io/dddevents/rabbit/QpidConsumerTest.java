// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.testsupport.EmbeddedBroker;
import io.dddevents.testsupport.ExpectLog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.event.Level;

/** What Qpid Broker-J, the broker of the examples, can serve of the contract. */
@ExpectLog(value = Level.WARN, logger = "qpid", message = "decompress", required = false)
final class QpidConsumerTest extends ConsumerContract {

  private EmbeddedBroker broker;

  @BeforeAll
  void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  void stop() {
    broker.close();
  }

  @Override
  String uri() {
    return broker.uri();
  }

  @Override
  String uri(int port) {
    return broker.uri(port);
  }

  @Override
  int port() {
    return broker.port();
  }

  @Override
  QueueType queueType() {
    return QueueType.CLASSIC;
  }

  @Override
  boolean countsReadyOnly() {
    return false;
  }
}
