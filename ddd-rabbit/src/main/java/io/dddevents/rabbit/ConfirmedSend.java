// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Publishes one message to one queue and returns when it is there. It has a channel of its own each
 * time, so no confirm or return can belong to another message; it is made for the rare message.
 */
final class ConfirmedSend {

  private static final long TIMEOUT_MILLIS = 10_000;

  private ConfirmedSend() {}

  /**
   * Sends it.
   *
   * @throws IOException if the queue does not have it, or nobody knows
   */
  static void toQueue(Connection connection, String queue, BasicProperties properties, byte[] body)
      throws IOException, InterruptedException {
    AtomicBoolean returned = new AtomicBoolean();
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new IOException("the connection has no channel left");
      }
      try {
        channel.addReturnListener(message -> returned.set(true));
        channel.confirmSelect();
        channel.basicPublish("", queue, true, properties, body);
        // RabbitMQ returns before it confirms; Qpid refuses to confirm.
        boolean confirmed = channel.waitForConfirms(TIMEOUT_MILLIS);
        if (returned.get()) {
          throw new IOException("queue '" + queue + "' does not exist");
        }
        if (!confirmed) {
          throw new IOException("queue '" + queue + "' did not take the message");
        }
      } finally {
        channel.abort();
      }
    } catch (TimeoutException e) {
      throw new IOException("the broker did not confirm within " + TIMEOUT_MILLIS + " ms", e);
    } catch (ShutdownSignalException e) {
      throw new IOException("the channel was closed before the confirm", e);
    }
  }
}
