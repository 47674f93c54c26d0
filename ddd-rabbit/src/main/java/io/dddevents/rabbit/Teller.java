// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.EventEnvelope;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log and the listener what the consumer does. Never a payload, header or address. */
final class Teller {

  private static final Logger log = LoggerFactory.getLogger(RabbitConsumer.class);

  private final ConsumerConfig config;
  private final ConsumerListener listener;

  Teller(ConsumerConfig config, ConsumerListener listener) {
    this.config = config;
    this.listener = listener;
  }

  void started() {
    log.info("Consuming: consumer={} queue={}", config.name(), config.queue());
  }

  void stopped() {
    log.info("Stopped: consumer={} queue={}", config.name(), config.queue());
  }

  void stuck(int workers) {
    log.warn(
        "Stopped while {} handler(s) ignore their interrupt; their messages are delivered again:"
            + " consumer={}",
        workers,
        config.name());
  }

  void handled(EventEnvelope envelope) {
    log.debug(
        "Handled: consumer={} event={} type={}", config.name(), envelope.id(), envelope.type());
    tell(l -> l.handled(envelope));
  }

  void duplicate(EventEnvelope envelope) {
    log.debug(
        "Dropped a duplicate: consumer={} event={} type={}",
        config.name(),
        envelope.id(),
        envelope.type());
    tell(l -> l.duplicate(envelope));
  }

  void attemptFailed(
      EventEnvelope envelope, int attempt, Throwable error, @Nullable Duration delay) {
    if (delay != null) {
      log.warn(
          "Handler failed, will retry: consumer={} event={} type={} attempt={} delay={} cause={}",
          config.name(),
          envelope.id(),
          envelope.type(),
          attempt,
          delay,
          error.getClass().getName());
    }
    tell(l -> l.attemptFailed(envelope, attempt, error));
  }

  void parked(ParkedMessage message, @Nullable Throwable error) {
    String alarm =
        message.reason() == ParkReason.ID_CONFLICT ? "ALARM, one id with two contents. " : "";
    log.error(
        "{}Parked: consumer={} queue={} parked={} event={} type={} reason={} attempts={} detail={}",
        alarm,
        config.name(),
        config.parkingQueue(),
        message.id(),
        message.messageId(),
        message.type(),
        message.reason(),
        message.attempts(),
        message.detail(),
        error);
    tell(l -> l.parked(message));
  }

  void notParked(ParkReason reason, Throwable error, Duration delay) {
    log.error(
        "Could not park, the message is kept and tried again: consumer={} queue={} reason={}"
            + " delay={} cause={}",
        config.name(),
        config.parkingQueue(),
        reason,
        delay,
        error.toString());
  }

  void paused(Throwable cause) {
    log.warn(
        "Paused, the database does not answer: consumer={} cause={}",
        config.name(),
        cause.getClass().getName());
    tell(l -> l.paused(cause));
  }

  void resumed() {
    log.info("Resumed, the database answers: consumer={}", config.name());
    tell(ConsumerListener::resumed);
  }

  void disconnected(Throwable cause, Duration delay) {
    log.warn(
        "Not consuming, will connect again: consumer={} queue={} delay={} cause={}",
        config.name(),
        config.queue(),
        delay,
        describe(cause));
    tell(l -> l.disconnected(cause));
  }

  /** The client library puts the reason into the innermost cause. */
  private static String describe(Throwable error) {
    Throwable e = error;
    for (int depth = 0; e.getCause() != null && depth < 20; depth++) {
      e = e.getCause();
    }
    return e.toString();
  }

  private void tell(Consumer<ConsumerListener> news) {
    try {
      news.accept(listener);
    } catch (RuntimeException e) {
      log.warn("The listener failed: consumer={}", config.name(), e);
    }
  }
}
