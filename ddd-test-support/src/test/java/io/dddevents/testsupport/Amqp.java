// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.nio.charset.StandardCharsets;

/** A connection with one confirming channel. */
final class Amqp implements AutoCloseable {
  final Connection connection;
  final Channel channel;

  Amqp(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(5_000);
    connection = factory.newConnection("test");
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  Amqp bind(String exchange, String queue, String key) throws Exception {
    channel.exchangeDeclare(exchange, "topic", true);
    channel.queueDeclare(queue, true, false, false, null);
    channel.queueBind(queue, exchange, key);
    return this;
  }

  /** Publishes and tells whether the broker confirmed it. */
  boolean publish(String exchange, String key) throws Exception {
    byte[] body = "ribbit".getBytes(StandardCharsets.UTF_8);
    channel.basicPublish(exchange, key, MessageProperties.PERSISTENT_BASIC, body);
    return channel.waitForConfirms(5_000);
  }

  @Override
  public void close() {
    connection.abort(5_000);
  }
}
