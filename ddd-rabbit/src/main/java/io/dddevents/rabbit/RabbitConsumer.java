// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.DomainEvent;
import io.dddevents.EventHandler;
import io.dddevents.EventSerializer;
import io.dddevents.Inbox;
import io.dddevents.UnitOfWork;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the events of one queue to handlers. A message is acknowledged after its transaction has
 * committed, or after it stands in the parking queue: it is never lost on this side. The inbox,
 * asked first in the same transaction, lets the database effects of a handler happen once, however
 * often the message is delivered. Events of one aggregate are handled one after the other.
 *
 * <p>It connects in the background and again after every loss. Safe for many threads; started once.
 */
public final class RabbitConsumer implements AutoCloseable {

  /** What a consumer is doing. */
  public enum State {
    /** Not started. */
    NEW,
    /** Without a connection, trying to get one. */
    CONNECTING,
    /** Ready for deliveries, or at work. */
    CONSUMING,
    /** The database does not answer; deliveries wait. */
    PAUSED,
    /** Closed. */
    STOPPED
  }

  /** What the parts of a consumer need from its builder. */
  record Parts(
      ConsumerConfig config,
      UnitOfWork unitOfWork,
      Inbox inbox,
      EventSerializer serializer,
      Map<Class<? extends DomainEvent>, EventHandler<?>> handlers,
      ConsumerListener listener,
      Clock clock,
      Consumer<Checkpoint> checkpoints) {}

  private final ConsumerLoop loop;
  private final Thread thread;
  private final ParkedMessages parked;
  private boolean started;
  private boolean closed;

  private RabbitConsumer(Parts parts, ConnectionSource source, Set<String> bindings) {
    ConsumerConfig config = parts.config();
    this.loop = new ConsumerLoop(parts, source, bindings);
    this.thread = new Thread(loop, "ddd-consumer-" + config.name());
    thread.setDaemon(true);
    this.parked = new ParkedMessages(source, config.queue(), config.parkingQueue());
  }

  /** Starts with the settings. */
  public static Builder builder(ConsumerConfig config) {
    return new Builder(config);
  }

  /** Begins to consume, in the background. */
  public synchronized void start() {
    if (started || closed) {
      throw new IllegalStateException("a consumer can be started once");
    }
    started = true;
    thread.start();
  }

  /** What it is doing now. */
  public synchronized State state() {
    if (!started) {
      return closed ? State.STOPPED : State.NEW;
    }
    return loop.state();
  }

  /** The messages that it could not handle. */
  public ParkedMessages parked() {
    return parked;
  }

  /**
   * Takes no more deliveries, lets running handlers finish up to {@link
   * ConsumerConfig#stopTimeout()}, acks those, and gives the rest back to the queue. Calling it
   * again does nothing.
   */
  @Override
  public void close() {
    boolean wasStarted;
    synchronized (this) {
      closed = true;
      wasStarted = started;
    }
    if (!wasStarted) {
      return;
    }
    loop.askToStop();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Collects the parts of a consumer. */
  public static final class Builder {

    private final ConsumerConfig config;
    private final Map<Class<? extends DomainEvent>, EventHandler<?>> handlers =
        new LinkedHashMap<>();
    private @Nullable URI uri;
    private boolean allowPlainRemote;
    private @Nullable ConnectionSource source;
    private @Nullable UnitOfWork unitOfWork;
    private @Nullable Inbox inbox;
    private @Nullable EventSerializer serializer;
    private ConsumerListener listener = new ConsumerListener() {};
    private Clock clock = Clock.systemUTC();
    private Consumer<Checkpoint> checkpoints = checkpoint -> {};

    private Builder(ConsumerConfig config) {
      this.config = Objects.requireNonNull(config, "config");
    }

    /** The broker: {@code amqps://…}, or {@code amqp://…} on this machine. Required. */
    public Builder uri(URI uri) {
      this.uri = uri;
      return this;
    }

    /** Allows {@code amqp://} to other machines, where the network itself is trusted. */
    public Builder allowPlainRemote() {
      this.allowPlainRemote = true;
      return this;
    }

    /** The transactions in which handlers run, and the inbox that takes part in them. Required. */
    public Builder inbox(UnitOfWork unitOfWork, Inbox inbox) {
      this.unitOfWork = unitOfWork;
      this.inbox = inbox;
      return this;
    }

    /** Reads the events, upcasters included; it must know the classes of the handlers. Required. */
    public Builder serializer(EventSerializer serializer) {
      this.serializer = serializer;
      return this;
    }

    /** Handles the events of exactly this class. At least one is required. */
    public <E extends DomainEvent> Builder handle(Class<E> type, EventHandler<E> handler) {
      if (handlers.putIfAbsent(type, handler) != null) {
        throw new IllegalArgumentException("two handlers for " + type.getName());
      }
      return this;
    }

    /** Told what happens. Defaults to nobody. */
    public Builder listener(ConsumerListener listener) {
      this.listener = listener;
      return this;
    }

    /** The clock for the window. Defaults to the system's. */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    Builder source(ConnectionSource source) {
      this.source = source;
      return this;
    }

    Builder checkpoints(Consumer<Checkpoint> checkpoints) {
      this.checkpoints = checkpoints;
      return this;
    }

    /** The consumer, not started. */
    public RabbitConsumer build() {
      if (handlers.isEmpty()) {
        throw new IllegalArgumentException(
            "consumer '" + config.name() + "' has no handler; call handle(...)");
      }
      ConnectionSource connections = source;
      if (connections == null) {
        connections = ConnectionSource.of(required(uri, "uri"), allowPlainRemote);
      }
      Set<String> bindings = new LinkedHashSet<>(config.bindings());
      if (bindings.isEmpty()) {
        handlers.keySet().forEach(type -> bindings.addAll(ConsumerConfig.Builder.keysOf(type)));
      }
      return new RabbitConsumer(
          new Parts(
              config,
              required(unitOfWork, "inbox"),
              required(inbox, "inbox"),
              required(serializer, "serializer"),
              Map.copyOf(handlers),
              listener,
              clock,
              checkpoints),
          connections,
          bindings);
    }

    private <T> T required(@Nullable T value, String method) {
      if (value == null) {
        throw new IllegalArgumentException(
            "consumer '" + config.name() + "' is incomplete; call " + method + "(...)");
      }
      return value;
    }
  }
}
