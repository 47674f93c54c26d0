// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.ExceptionHandler;
import com.rabbitmq.client.TopologyRecoveryException;

/**
 * Keeps the client from logging what its shutdown listeners tell us anyway. Our own listeners catch
 * what they throw, and there are no consumers and no recovery on these connections.
 */
final class ShutdownTells implements ExceptionHandler {

  @Override
  public void handleUnexpectedConnectionDriverException(Connection connection, Throwable e) {}

  @Override
  public void handleReturnListenerException(Channel channel, Throwable e) {}

  @Override
  public void handleConfirmListenerException(Channel channel, Throwable e) {}

  @Override
  public void handleBlockedListenerException(Connection connection, Throwable e) {}

  @Override
  public void handleConsumerException(
      Channel channel, Throwable e, Consumer consumer, String tag, String method) {}

  @Override
  public void handleConnectionRecoveryException(Connection connection, Throwable e) {}

  @Override
  public void handleChannelRecoveryException(Channel channel, Throwable e) {}

  @Override
  public void handleTopologyRecoveryException(
      Connection connection, Channel channel, TopologyRecoveryException e) {}
}
