// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a connection, its channel and its consumer. Delivery tags mean something in this life
 * only: when it is over, its deliveries are not acked and the broker delivers them again.
 *
 * <p>A message beyond the client library's limits ends the connection before anybody sees it. After
 * that the next life is a careful one: one message at a time, of any size, so that the right one is
 * found and parked.
 */
final class Intake {

  private static final int HEADROOM_BYTES = 64 * 1024;

  private final Connection connection;
  private final Channel channel;
  private final ConsumerConfig config;
  private final boolean careful;
  private final Runnable onEnd;
  private final CountDownLatch quiet = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Throwable cause;
  private int acked;

  private Intake(Connection connection, ConsumerConfig config, boolean careful, Runnable onEnd)
      throws IOException {
    this.connection = connection;
    this.channel = connection.createChannel();
    this.config = config;
    this.careful = careful;
    this.onEnd = onEnd;
  }

  /**
   * Connects, prepares the queues and begins to consume.
   *
   * @param sink takes the deliveries; must not block
   * @param onEnd called once, from any thread, when this life is over
   */
  static Intake open(
      ConnectionSource source,
      QueueSetup setup,
      ConsumerConfig config,
      boolean careful,
      Consumer<InboundDelivery> sink,
      Runnable onEnd)
      throws Exception {
    int limit = careful ? BrokerLink.ANY_SIZE : config.maxPayloadBytes() + HEADROOM_BYTES;
    Connection connection = BrokerLink.open(source, "consumer-" + config.name(), limit);
    try {
      setup.prepare(connection);
      Intake intake = new Intake(connection, config, careful, onEnd);
      intake.consume(sink);
      return intake;
    } catch (Throwable e) {
      BrokerLink.close(connection);
      throw e;
    }
  }

  private void consume(Consumer<InboundDelivery> sink) throws IOException {
    connection.addShutdownListener(this::end);
    channel.addShutdownListener(this::end);
    channel.basicQos(careful ? 1 : config.prefetch());
    channel.basicConsume(config.queue(), false, config.name(), new Deliveries(sink));
  }

  Connection connection() {
    return connection;
  }

  /** Whether deliveries may still be begun. */
  boolean isOpen() {
    return quiet.getCount() > 0;
  }

  /** Waits; true as soon as no more deliveries shall be begun. */
  boolean awaitQuiet(Duration timeout) throws InterruptedException {
    return quiet.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  synchronized @Nullable Throwable cause() {
    return cause;
  }

  /** Whether the client library gave up on what it read. */
  boolean diedOfAMessage() {
    for (Throwable e = cause(); e != null; e = e.getCause()) {
      boolean signal = e instanceof ShutdownSignalException;
      if (e instanceof MalformedFrameException
          || (!signal && (e instanceof RuntimeException || e instanceof Error))) {
        return true;
      }
    }
    return false;
  }

  /** False if it did not reach the broker; the message will come again. */
  boolean ack(long tag) {
    Throwable failure = null;
    boolean enough;
    synchronized (this) {
      if (isOver()) {
        return false;
      }
      try {
        channel.basicAck(tag, false);
      } catch (IOException | ShutdownSignalException e) {
        failure = e;
      }
      acked++;
      enough = careful && acked > config.prefetch();
    }
    if (failure != null || enough) {
      end(failure);
    }
    return failure == null;
  }

  /** Asks for no more deliveries; those that were begun can still be acked. */
  void drain() {
    quiet.countDown();
    if (!isOver()) {
      try {
        channel.basicCancel(config.name());
      } catch (IOException | ShutdownSignalException e) {
        end(e);
      }
    }
  }

  /** Ends this life. The broker delivers again what was not acked. */
  void close() {
    end(null);
    BrokerLink.close(connection);
  }

  private void end(@Nullable Throwable why) {
    synchronized (this) {
      if (isOver()) {
        return;
      }
      cause = why;
      quiet.countDown();
      over.countDown();
    }
    onEnd.run();
  }

  private final class Deliveries extends DefaultConsumer {

    private final Consumer<InboundDelivery> sink;

    Deliveries(Consumer<InboundDelivery> sink) {
      super(channel);
      this.sink = sink;
    }

    @Override
    public void handleDelivery(String tag, Envelope amqp, BasicProperties properties, byte[] body) {
      sink.accept(
          new InboundDelivery(Intake.this, amqp, properties, body, config.maxPayloadBytes()));
    }

    @Override
    public void handleCancel(String tag) {
      end(
          new IOException(
              "the broker ended the consumer; was queue " + config.queue() + " deleted?"));
    }
  }
}
