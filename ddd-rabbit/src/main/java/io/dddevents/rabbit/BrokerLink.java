// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens connections as the consumer side needs them. */
final class BrokerLink {

  /** What the client library reads at the most when it is told to take anything. */
  static final int ANY_SIZE = 64 * 1024 * 1024;

  private static final int HEARTBEAT_SECONDS = 10;
  private static final int TIMEOUT_MILLIS = 10_000;

  private BrokerLink() {}

  /** Without automatic recovery: whose delivery tags would an ack carry after it? */
  static Connection open(ConnectionSource source, String name, int maxBodyBytes) throws Exception {
    ConnectionFactory factory = source.factory();
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setConnectionTimeout(TIMEOUT_MILLIS);
    factory.setHandshakeTimeout(TIMEOUT_MILLIS);
    factory.setChannelRpcTimeout(TIMEOUT_MILLIS);
    factory.setShutdownTimeout(TIMEOUT_MILLIS);
    factory.setMaxInboundMessageBodySize(maxBodyBytes);
    factory.setExceptionHandler(new Quiet());
    AtomicInteger number = new AtomicInteger();
    factory.setThreadFactory(
        work -> {
          Thread thread = new Thread(work, "ddd-" + name + "-amqp-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
    return factory.newConnection("ddd-events " + name);
  }

  static void close(Connection connection) {
    connection.abort(TIMEOUT_MILLIS);
  }

  /** The shutdown signal tells us the same, and we tell it once. */
  private static final class Quiet extends ForgivingExceptionHandler {
    @Override
    protected void log(String message, Throwable e) {}
  }
}
