// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One virtual host of a {@link RabbitNode}: queues and exchanges that no other test sees.
 *
 * <p>Safe for many threads.
 */
public final class VirtualHost implements AutoCloseable {
  private final RabbitNode node;
  private final String name;

  VirtualHost(RabbitNode node, String name) {
    this.node = node;
    this.name = name;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The AMQP URI with credentials, on the node's port. */
  public String uri() {
    return uri(node.port());
  }

  /** The same over another port of 127.0.0.1: that of a {@link TcpProxy}. */
  public String uri(int port) {
    return node.base(port) + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /** The queues with the number of messages in each, ready and unacknowledged. */
  public Map<String, Long> queues() {
    Map<String, Long> queues = new LinkedHashMap<>();
    node.ctl("list_queues", "-p", name, "--no-table-headers", "name", "messages")
        .lines()
        .map(line -> line.split("\t", -1))
        .forEach(columns -> queues.put(columns[0], Long.valueOf(columns[1])));
    return queues;
  }

  /** Deletes the queue with its messages. */
  public void deleteQueue(String queue) {
    onChannel(channel -> channel.queueDelete(queue));
  }

  /** Deletes the exchange with its bindings. */
  public void deleteExchange(String exchange) {
    onChannel(channel -> channel.exchangeDelete(exchange));
  }

  /** Deletes the binding of the queue to the exchange. */
  public void deleteBinding(String exchange, String queue, String routingKey) {
    onChannel(channel -> channel.queueUnbind(queue, exchange, routingKey));
  }

  /** Applies the policy, such as {@code {"max-length":10}}, to the queues of that name. */
  public void setPolicy(String policy, String queueRegex, String definitionJson) {
    node.ctl("set_policy", "-p", name, "--apply-to", "queues", policy, queueRegex, definitionJson);
  }

  /** Removes the policy. */
  public void clearPolicy(String policy) {
    node.ctl("clear_policy", "-p", name, policy);
  }

  /** Deletes the virtual host with all that is in it. */
  @Override
  public void close() {
    node.delete(this);
  }

  @Override
  public String toString() {
    return "virtual host " + name;
  }

  private interface Operation {
    Object on(Channel channel) throws Exception;
  }

  private void onChannel(Operation operation) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri());
      factory.setAutomaticRecoveryEnabled(false);
      try (Connection connection = factory.newConnection("fixture");
          Channel channel = connection.createChannel()) {
        operation.on(channel);
      }
    } catch (Exception e) {
      throw new IllegalStateException("failed on " + this, e);
    }
  }
}
