// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.dddevents.EventEnvelope;
import io.dddevents.EventPublisher;
import io.dddevents.EventRefusedException;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.rabbit.PublisherState.Status;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Four threads. The caller's maps, checks and writes. The connection's reads the answers and never
 * waits for anybody. Ours (one) connects, looks after the oldest event and keeps the state; since
 * all changes of incarnation and state happen on it, they need no lock. The last completes the
 * futures, because what hangs on a future may publish again, and would then wait in the window for
 * confirms that only the connection's thread can bring.
 */
/**
 * Publishes events to RabbitMQ. A result is {@link Outcome#CONFIRMED} only after the broker has
 * taken the event into every queue it was routed to, and there was at least one, or the type is
 * marked as one that need not be routed. Events are persistent, always.
 *
 * <p>While there is no usable connection every publish gives {@link Outcome#UNKNOWN} at once, with
 * the cause; the publisher connects again by itself. What was unconfirmed when a connection ended
 * is unknown too, whatever comes later.
 *
 * <p>Safe for many threads; events that one thread hands over are sent in that order. Futures are
 * completed on a thread of the publisher's own: what hangs on them delays other results while it
 * runs, but may call {@link #publish}. The window bounds what is unconfirmed, not what they have
 * not run for yet.
 */
public final class RabbitPublisher implements EventPublisher {

  private static final Logger log = LoggerFactory.getLogger(RabbitPublisher.class);
  private static final String CLOSED = "the publisher is closed";
  private static final String BLOCKED = "blocked by the broker";
  private static final Duration GOODBYE = Duration.ofSeconds(2);
  private static final Duration LONGEST_TURN = Duration.ofMillis(200);

  private final RabbitConnection connection;
  private final RabbitPublisherConfig config;
  private final Clock clock = Clock.systemUTC();
  private final ReentrantLock sending = new ReentrantLock();
  private final ScheduledThreadPoolExecutor own;
  private final ExecutorService results = Executors.newSingleThreadExecutor(daemon("results"));
  private final AtomicReference<Socket> opening = new AtomicReference<>();
  private final CountDownLatch firstConnection = new CountDownLatch(1);
  private final AtomicBoolean closing = new AtomicBoolean();
  private final PublishChannel.Owner owner = new ChannelOwner();
  private volatile @Nullable PublishChannel current;
  private volatile PublisherState state;
  private int failures;

  private RabbitPublisher(RabbitConnection connection, RabbitPublisherConfig config) {
    this.connection = connection;
    this.config = config;
    this.state = new PublisherState(Status.CONNECTING, clock.instant(), "not connected yet");
    this.own = new ScheduledThreadPoolExecutor(1, daemon("publisher"));
    own.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    own.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /**
   * Starts a publisher. It connects in the background; see {@link #awaitConnected}. Throws nothing
   * for a broker that is not there: that is an outage like any other.
   */
  public static RabbitPublisher start(RabbitConnection connection, RabbitPublisherConfig config) {
    RabbitPublisher publisher = new RabbitPublisher(connection, config);
    long turn = Math.min(config.confirmTimeout().toNanos() / 10, LONGEST_TURN.toNanos());
    publisher.own.execute(publisher::connect);
    var unused =
        publisher.own.scheduleWithFixedDelay(publisher::turn, turn, turn, TimeUnit.NANOSECONDS);
    return publisher;
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, "ddd-rabbit-" + name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** How it stands, now. */
  public PublisherState state() {
    return state;
  }

  /** Waits until it has been connected once; false if the time runs out first. */
  public boolean awaitConnected(Duration timeout) throws InterruptedException {
    return firstConnection.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public CompletableFuture<PublishResult> publish(Publication publication) {
    PublishChannel channel = current;
    if (channel == null || closing.get()) {
      return done(Outcome.UNKNOWN, closing.get() ? CLOSED : "not connected: " + state.cause());
    }
    String key;
    BasicProperties properties;
    EventEnvelope envelope = publication.envelope();
    try {
      Limits.requireBody(envelope.payload(), config.maxBodyBytes());
      key = Limits.requireRoutingKey(config.routing().apply(envelope));
      properties = EventMessage.properties(publication, config.application());
      Limits.requireProperties(properties, channel.frameMax());
    } catch (EventRefusedException e) {
      return done(Outcome.REFUSED, Causes.clean("REFUSED: " + e.getMessage()));
    } catch (RuntimeException e) {
      // Of a routing function or a strange value; its text may hold what the event says.
      return done(Outcome.REFUSED, "REFUSED: it cannot be mapped, " + e.getClass().getName());
    }
    boolean optional = config.mayBeUnrouted().contains(envelope.type().name());
    Pending pending = new Pending(properties.getMessageId(), optional);
    try {
      return send(channel, pending, key, properties, envelope.payload());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return done(Outcome.UNKNOWN, "interrupted before it was sent");
    }
  }

  private CompletableFuture<PublishResult> send(
      PublishChannel channel, Pending pending, String key, BasicProperties properties, byte[] body)
      throws InterruptedException {
    if (channel.isBlocked()) {
      return done(Outcome.UNKNOWN, BLOCKED); // and not behind one that hangs in a write
    }
    sending.lockInterruptibly();
    try {
      return switch (channel.send(pending, key, properties, body)) {
        case ADMITTED -> pending.future();
        case BLOCKED -> done(Outcome.UNKNOWN, BLOCKED);
        case ENDED -> done(Outcome.UNKNOWN, String.valueOf(channel.endCause()));
      };
    } finally {
      sending.unlock();
    }
  }

  private static CompletableFuture<PublishResult> done(Outcome outcome, String detail) {
    return CompletableFuture.completedFuture(new PublishResult(outcome, detail));
  }

  private void connect() {
    if (closing.get()) {
      return;
    }
    try {
      PublishChannel opened = PublishChannel.open(connection, config, owner, opening);
      current = opened;
      if (closing.get()) {
        opened.kill(CLOSED); // whoever closes may have given up waiting for us
        return;
      }
      become(Status.CONNECTED, "");
      firstConnection.countDown();
    } catch (Exception e) {
      connectLater(Causes.of(e));
    } catch (Error e) {
      connectLater(e.getClass().getName());
      throw e;
    }
  }

  private void connectLater(String cause) {
    become(Status.CONNECTING, cause);
    failures = Math.min(failures + 1, 1_000);
    Duration delay = config.reconnect().delayAfter(failures, ThreadLocalRandom.current());
    if (!closing.get()) {
      var unused = own.schedule(this::connect, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void turn() {
    try {
      PublishChannel channel = current;
      if (channel != null) {
        channel.turn();
      }
    } catch (RuntimeException e) {
      log.error("publisher's watchdog failed and goes on", e); // else it would never run again
    }
  }

  private void lost(PublishChannel channel, String cause) {
    if (current == channel) {
      current = null;
      if (!closing.get()) {
        var unused = own.schedule(channel::cut, GOODBYE.toNanos(), TimeUnit.NANOSECONDS);
      }
      // A connection that never brought a confirm is no success: the pauses go on growing.
      failures = channel.anyConfirmed() ? 0 : failures;
      connectLater(cause);
    }
  }

  private void alarm(PublishChannel channel, boolean on, String reason) {
    if (current == channel && channel.endCause() == null) {
      become(on ? Status.BLOCKED : Status.CONNECTED, on ? BLOCKED + ": " + reason : "");
    }
  }

  private void become(Status status, String cause) {
    PublisherState before = state;
    if (before.status() == Status.CLOSED
        || (before.status() == status && before.cause().equals(cause))) {
      return;
    }
    state = new PublisherState(status, clock.instant(), cause);
    switch (status) {
      case CONNECTED -> log.info("publisher connected: {}", connection);
      case CONNECTING -> log.warn("publisher not connected: {} ({})", cause, connection);
      case BLOCKED -> log.warn("publisher blocked: {} ({})", cause, connection);
      case CLOSED -> log.info("publisher closed: {}", connection);
    }
  }

  /**
   * Takes no more events, waits for open confirms up to the close timeout, then makes the rest
   * unknown and releases everything. A second call does nothing.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    try {
      PublishChannel channel = current;
      if (channel != null) {
        channel.awaitDrained(config.closeTimeout().toNanos());
        channel.close(CLOSED);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    release();
  }

  private void release() {
    // Ends an attempt to connect too, which would last until its timeout.
    Link.cut(opening.get());
    own.shutdown();
    try {
      if (!own.awaitTermination(2, TimeUnit.SECONDS)) {
        own.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    PublishChannel last = current; // of an attempt that succeeded meanwhile
    if (last != null) {
      last.kill(CLOSED);
    }
    become(Status.CLOSED, "");
    results.shutdown();
  }

  /** Hands on what the connection's thread tells, and returns to it at once. */
  private final class ChannelOwner implements PublishChannel.Owner {

    @Override
    public void settled(List<Pending> settled) {
      try {
        results.execute(() -> settled.forEach(Pending::complete));
      } catch (RejectedExecutionException e) {
        settled.forEach(Pending::complete); // closed, and no future is left open
      }
    }

    @Override
    public void blocked(PublishChannel channel, boolean on, String reason) {
      onOwn(() -> alarm(channel, on, reason));
    }

    @Override
    public void ended(PublishChannel channel, String cause) {
      onOwn(() -> lost(channel, cause));
    }

    private void onOwn(Runnable task) {
      try {
        own.execute(task);
      } catch (RejectedExecutionException e) {
        // Closed: no state is left to keep.
        return;
      }
    }
  }
}
