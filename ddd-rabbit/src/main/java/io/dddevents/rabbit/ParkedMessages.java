// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that a consumer could not handle, for operators. Every call has a connection of its
 * own and leaves the order of the queue as it is. While one call looks at messages, another one,
 * also of another process, does not see them.
 *
 * <p>A retried message comes to the end of the consumer's queue, so behind later events of its
 * aggregate. Safe for many threads.
 */
public final class ParkedMessages {

  private static final Logger log = LoggerFactory.getLogger(ParkedMessages.class);
  private static final int MAX_LOOKED_AT = 10_000;

  private final ConnectionSource source;
  private final String queue;
  private final String parkingQueue;

  ParkedMessages(ConnectionSource source, String queue, String parkingQueue) {
    this.source = source;
    this.queue = queue;
    this.parkingQueue = parkingQueue;
  }

  /** Those of a consumer that runs elsewhere; plain {@code amqp} to this machine only. */
  public static ParkedMessages of(URI broker, ConsumerConfig config) {
    return new ParkedMessages(
        ConnectionSource.of(broker, false), config.queue(), config.parkingQueue());
  }

  /** The oldest parked messages, at most so many. */
  public List<ParkedMessage> list(int limit) {
    if (limit < 1 || limit > MAX_LOOKED_AT) {
      throw new IllegalArgumentException(
          "limit must be from 1 to " + MAX_LOOKED_AT + ", was " + limit);
    }
    List<ParkedMessage> found = new ArrayList<>();
    look(
        limit,
        message -> {
          found.add(ParkedFormat.read(message.getProps(), message.getBody()));
          return false;
        },
        null);
    return found;
  }

  /** The parked message with this {@link ParkedMessage#id()}. */
  public Optional<ParkedMessage> show(String id) {
    return Optional.ofNullable(look(MAX_LOOKED_AT, is(id), null))
        .map(message -> ParkedFormat.read(message.getProps(), message.getBody()));
  }

  /** Its body, as it was received. It may hold personal data, or anything. */
  public Optional<byte[]> body(String id) {
    return Optional.ofNullable(look(MAX_LOOKED_AT, is(id), null)).map(GetResponse::getBody);
  }

  /**
   * Gives it back to the consumer's queue. If the broker dies in between it may be there twice; the
   * inbox drops the second.
   *
   * @return false if no such message is parked
   * @throws IllegalStateException if it is not {@link ParkedMessage#complete()}
   */
  public boolean retry(String id) {
    GetResponse retried = look(MAX_LOOKED_AT, is(id), this::giveBack);
    if (retried != null) {
      log.info("Retried parked message: parked={} queue={}", id, queue);
    }
    return retried != null;
  }

  /**
   * Deletes it for good.
   *
   * @param reason for the log; required
   * @return false if no such message is parked
   */
  public boolean discard(String id, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("a message is not discarded without a reason");
    }
    GetResponse discarded = look(MAX_LOOKED_AT, is(id), (connection, message) -> {});
    if (discarded != null) {
      String said = Objects.requireNonNullElse(ParkedFormat.safeShort(reason), "(not printable)");
      log.info("Discarded parked message: parked={} queue={} reason={}", id, queue, said);
    }
    return discarded != null;
  }

  private interface Taking {
    void take(Connection connection, GetResponse message) throws Exception;
  }

  private void giveBack(Connection connection, GetResponse message)
      throws IOException, InterruptedException {
    if (!ParkedFormat.read(message.getProps(), message.getBody()).complete()) {
      throw new IllegalStateException(
          "the message had properties that are not safe to repeat; without them it would be another"
              + " one. Discard it, or publish what was meant");
    }
    BasicProperties original = ParkedFormat.original(message.getProps());
    ConfirmedSend.toQueue(connection, queue, original, message.getBody());
  }

  private static Predicate<GetResponse> is(String id) {
    return message -> ParkedFormat.read(message.getProps(), message.getBody()).id().equals(id);
  }

  /**
   * Looks at one message after the other until one is wanted. Acks that one after it was taken; all
   * others go back to their places when the channel closes.
   */
  private @Nullable GetResponse look(
      int limit, Predicate<GetResponse> wanted, @Nullable Taking taking) {
    try {
      Connection connection =
          BrokerLink.open(source, "parked-" + parkingQueue, BrokerLink.ANY_SIZE);
      try (Channel channel = connection.createChannel()) {
        for (int i = 0; i < limit; i++) {
          GetResponse message = channel.basicGet(parkingQueue, false);
          if (message == null) {
            return null;
          }
          if (wanted.test(message)) {
            if (taking != null) {
              taking.take(connection, message);
              channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
            }
            return message;
          }
        }
        return null;
      } finally {
        BrokerLink.close(connection);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking into " + parkingQueue, e);
    } catch (IllegalStateException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(
          "could not work on queue '" + parkingQueue + "'; nothing was lost, try again", e);
    }
  }
}
