// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * The consumer's queues and bindings, declared or only checked. Nothing is ever deleted or purged.
 *
 * <p>A message that the client library cannot even decode ends the connection before anybody sees
 * it, again and again. So a quorum queue counts deliveries, and the broker itself moves such a
 * message into the parking queue, at least once.
 */
final class QueueSetup {

  /**
   * Every look into the parking queue is a delivery; since RabbitMQ 4 the limit is 20 by default,
   * and then the message is dropped.
   */
  private static final int NO_LIMIT = 1_000_000_000;

  private final ConsumerConfig config;
  private final Set<String> bindings;

  QueueSetup(ConsumerConfig config, Set<String> bindings) {
    this.config = config;
    this.bindings = bindings;
  }

  void prepare(Connection connection) throws IOException, TimeoutException {
    try (Channel channel = connection.createChannel()) {
      if (config.declare()) {
        declareParking(channel);
        channel.queueDeclare(config.queue(), true, false, false, arguments());
        channel.exchangeDeclare(config.exchange(), BuiltinExchangeType.TOPIC, true);
        for (String key : bindings) {
          channel.queueBind(config.queue(), config.exchange(), key);
        }
      } else {
        channel.exchangeDeclarePassive(config.exchange());
        channel.queueDeclarePassive(config.queue());
        channel.queueDeclarePassive(config.parkingQueue());
      }
    }
  }

  /** Creates the parking queue again if somebody has deleted it and we may. */
  void prepareParking(Connection connection) throws IOException, TimeoutException {
    if (config.declare()) {
      try (Channel channel = connection.createChannel()) {
        declareParking(channel);
      }
    }
  }

  private void declareParking(Channel channel) throws IOException {
    Map<String, Object> arguments = new HashMap<>();
    if (config.queueType() == QueueType.QUORUM) {
      arguments.put("x-queue-type", "quorum");
      arguments.put("x-delivery-limit", NO_LIMIT);
    }
    channel.queueDeclare(config.parkingQueue(), true, false, false, arguments);
  }

  private Map<String, Object> arguments() {
    Map<String, Object> arguments = new HashMap<>();
    if (config.queueType() == QueueType.QUORUM) {
      arguments.put("x-queue-type", "quorum");
      arguments.put("x-delivery-limit", config.deliveryLimit());
      arguments.put("x-dead-letter-exchange", "");
      arguments.put("x-dead-letter-routing-key", config.parkingQueue());
      arguments.put("x-dead-letter-strategy", "at-least-once");
      arguments.put("x-overflow", "reject-publish");
    }
    if (config.singleActive()) {
      arguments.put("x-single-active-consumer", true);
    }
    return arguments;
  }
}
