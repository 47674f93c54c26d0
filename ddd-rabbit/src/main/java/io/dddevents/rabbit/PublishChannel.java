// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation: a connection, its confirming channel, and what is open on it. It ends once, for
 * any reason, and everything open is then unknown; whoever wants to go on opens another.
 *
 * <p>{@link #send} is for one thread at a time; the rest is safe for many.
 */
final class PublishChannel {

  /** What the owner wants to know. Called on the connection's thread; must not block. */
  interface Owner {
    void settled(List<Pending> settled);

    void blocked(PublishChannel channel, boolean on, String reason);

    void ended(PublishChannel channel, String cause);
  }

  /** A write that hangs while the broker is blocked will hang for as long as the alarm lasts. */
  private static final long HANGING_WRITE_NANOS = Duration.ofMillis(500).toNanos();

  /** An alarm silences heartbeats, so a dead network would look like a long alarm. */
  private static final long LONG_ALARM_NANOS = Duration.ofMinutes(1).toNanos();

  private static final String LATE = "no confirm within ";

  private final Link link;
  private final Channel channel;
  private final Confirms confirms;
  private final Owner owner;
  private final RabbitPublisherConfig config;
  private final int frameMax;
  private volatile long writingSince;
  private volatile boolean writing;
  private volatile long blockedAt;

  private PublishChannel(Link link, Channel channel, RabbitPublisherConfig config, Owner owner) {
    this.link = link;
    this.channel = channel;
    this.config = config;
    this.owner = owner;
    this.frameMax = link.connection().getFrameMax();
    this.confirms = new Confirms(config.window(), !link.isRabbit(), owner::settled);
  }

  static PublishChannel open(
      RabbitConnection settings,
      RabbitPublisherConfig config,
      Owner owner,
      AtomicReference<Socket> opening)
      throws IOException, TimeoutException {
    Link link = Link.open(settings, "publisher", opening);
    try {
      Channel channel = link.connection().createChannel();
      if (channel == null) {
        throw new IOException("the broker allows no more channels on the connection");
      }
      prepare(channel, config);
      PublishChannel opened = new PublishChannel(link, channel, config, owner);
      opened.listen();
      return opened;
    } catch (IOException | RuntimeException e) {
      link.cut();
      throw e;
    }
  }

  private static void prepare(Channel channel, RabbitPublisherConfig config) throws IOException {
    try {
      switch (config.topology()) {
        case DECLARE -> channel.exchangeDeclare(config.exchange(), "topic", true);
        case CHECK -> channel.exchangeDeclarePassive(config.exchange());
        case NONE -> {}
      }
    } catch (IOException e) {
      throw new IOException(
          "exchange '"
              + config.exchange()
              + "' is not as it should be ("
              + config.topology()
              + "; nothing was changed): "
              + Causes.of(e));
    }
    channel.confirmSelect();
  }

  private void listen() {
    channel.addReturnListener(
        returned -> confirms.returned(String.valueOf(returned.getProperties().getMessageId())));
    channel.addConfirmListener(
        (number, multiple) -> answered(number, multiple, true),
        (number, multiple) -> answered(number, multiple, false));
    link.connection().addBlockedListener(reason -> blocked(true, reason), () -> blocked(false, ""));
    // Last, and it fires at once if the channel is dead by now.
    channel.addShutdownListener(this::shutDown);
  }

  private void answered(long number, boolean multiple, boolean ack) {
    try {
      confirms.answered(number, multiple, ack);
    } catch (IllegalStateException e) {
      kill(String.valueOf(e.getMessage()));
    }
  }

  private void blocked(boolean on, String reason) {
    blockedAt = System.nanoTime();
    confirms.blocked(on);
    owner.blocked(this, on, Causes.clean(reason));
  }

  private void shutDown(ShutdownSignalException signal) {
    end(Causes.of(signal));
    if (!signal.isHardError()) {
      // Only the channel is dead, but what made it so concerns all that we do here.
      link.goodbye("publisher-goodbye");
    }
  }

  /** The largest frame that the broker takes; 0 for any. */
  int frameMax() {
    return frameMax;
  }

  /** Sends, or says why not. If it was sent, its future has or will have the result. */
  Confirms.Admission send(Pending pending, String key, BasicProperties properties, byte[] body)
      throws InterruptedException {
    Confirms.Admission admission = confirms.admit(pending);
    if (admission == Confirms.Admission.ADMITTED) {
      writingSince = System.nanoTime();
      writing = true;
      try {
        channel.basicPublish(config.exchange(), key, true, properties, body);
      } catch (IOException | RuntimeException e) {
        // The sequence numbers of client and broker may differ from here on.
        kill(Causes.of(e));
      } finally {
        writing = false;
      }
    }
    return admission;
  }

  /** The watchdog's look. */
  void turn() {
    confirms.turn();
    long now = System.nanoTime();
    boolean late = confirms.oldestNanos() > config.confirmTimeout().toNanos();
    if (!confirms.isBlocked()) {
      if (late) {
        kill(LATE + config.confirmTimeout());
      }
    } else if (writing && now - Math.max(writingSince, blockedAt) > HANGING_WRITE_NANOS) {
      kill("blocked by the broker in the middle of a write");
    } else if (now - blockedAt > LONG_ALARM_NANOS) {
      kill("blocked for a minute; connecting again to see whether the broker is still there");
    } else if (late) {
      confirms.giveUp("blocked by the broker, and " + LATE + config.confirmTimeout());
    }
  }

  /** Makes everything open unknown, then frees whoever hangs in the connection. */
  void kill(String cause) {
    end(cause);
    link.cut();
  }

  /** Ends the connection of a dead channel, if it has not gone by itself. */
  void cut() {
    link.cut();
  }

  private void end(String cause) {
    if (confirms.end(cause)) {
      owner.ended(this, cause);
    }
  }

  @Nullable String endCause() {
    return confirms.endCause();
  }

  boolean isBlocked() {
    return confirms.isBlocked();
  }

  boolean anyConfirmed() {
    return confirms.anyConfirmed();
  }

  boolean awaitDrained(long nanos) throws InterruptedException {
    return confirms.awaitDrained(nanos);
  }

  /** Ends it for good: politely if the broker answers soon, else without it. */
  void close(String cause) throws InterruptedException {
    end(cause);
    link.goodbye("publisher-goodbye").join(1_500);
    link.cut();
  }
}
