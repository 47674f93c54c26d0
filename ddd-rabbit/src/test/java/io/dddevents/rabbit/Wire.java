// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a consumer and an operator would do, by the plain client. */
final class Wire implements AutoCloseable {
  private final Connection connection;
  final Channel channel;

  Wire(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    factory.setAutomaticRecoveryEnabled(false);
    connection = factory.newConnection("test");
    channel = connection.createChannel();
  }

  void exchange(String name) throws Exception {
    channel.exchangeDeclare(name, "topic", true);
  }

  /** A durable queue that gets what the key matches. */
  void queue(String exchange, String queue, String key) throws Exception {
    exchange(exchange);
    channel.queueDeclare(queue, true, false, false, Map.of());
    channel.queueBind(queue, exchange, key);
  }

  /** Takes all messages out of the queue. */
  List<GetResponse> drain(String queue) throws Exception {
    List<GetResponse> messages = new ArrayList<>();
    for (GetResponse got = channel.basicGet(queue, true);
        got != null;
        got = channel.basicGet(queue, true)) {
      messages.add(got);
    }
    return messages;
  }

  List<String> ids(String queue) throws Exception {
    return drain(queue).stream().map(got -> got.getProps().getMessageId()).toList();
  }

  @Override
  public void close() {
    connection.abort(5_000);
  }
}
