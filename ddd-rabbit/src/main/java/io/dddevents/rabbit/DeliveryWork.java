// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.EventEnvelope;
import io.dddevents.RetryPolicy;
import io.dddevents.rabbit.RabbitConsumer.Parts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one delivery: attempts in place, then ack, or park and ack. Returns without an
 * ack only if the intake wants no more work; the broker then delivers the message again.
 */
final class DeliveryWork {

  /**
   * How often a failure that looks like an outage, while the database answers, goes uncounted: a
   * broken pooled connection does that, and so does a handler whose other database is gone.
   */
  private static final int FREE_RETRIES = 10;

  private static final RetryPolicy PARKING =
      RetryPolicy.exponential(Duration.ofMillis(200), Duration.ofSeconds(10), Integer.MAX_VALUE);

  private final ConsumerConfig config;
  private final Handling handling;
  private final DatabaseGate gate;
  private final QueueSetup setup;
  private final Teller teller;
  private final Clock clock;
  private final Consumer<Checkpoint> checkpoints;
  private final RandomGenerator random = RandomGenerator.getDefault();

  DeliveryWork(Parts parts, Handling handling, DatabaseGate gate, QueueSetup setup, Teller teller) {
    this.config = parts.config();
    this.handling = handling;
    this.gate = gate;
    this.setup = setup;
    this.teller = teller;
    this.clock = parts.clock();
    this.checkpoints = parts.checkpoints();
  }

  /** The failed attempts at one delivery. */
  private static final class History {
    private int attempts;
    private int freeRetries;
    private @Nullable Instant firstFailure;
    private @Nullable Throwable lastError;
  }

  void process(InboundDelivery delivery) throws InterruptedException {
    Intake intake = delivery.intake();
    History history = new History();
    while (true) {
      gate.pass(intake);
      if (!intake.isOpen()) {
        return;
      }
      checkpoints.accept(Checkpoint.RECEIVED);
      Outcome outcome = handling.attempt(delivery);
      boolean interrupted = Thread.interrupted();
      if (outcome instanceof Outcome.Handled || outcome instanceof Outcome.Duplicate) {
        settle(delivery, outcome);
        return;
      }
      if (outcome instanceof Outcome.Refused refused) {
        park(delivery, refused.why(), history);
        return;
      }
      if (interrupted || !intake.isOpen()) {
        return; // We are being stopped; the failure may be a consequence of that.
      }
      Optional<Duration> delay = delayAfter(delivery.envelope(), outcome, history);
      if (delay.isEmpty()) {
        park(
            delivery,
            new RefusedDelivery(ParkReason.HANDLER_FAILED, "the handler failed in every attempt"),
            history);
        return;
      }
      if (intake.awaitQuiet(delay.get())) {
        return;
      }
    }
  }

  private void settle(InboundDelivery delivery, Outcome outcome) {
    checkpoints.accept(Checkpoint.BEFORE_ACK);
    delivery.ack();
    if (outcome instanceof Outcome.Handled) {
      teller.handled(delivery.envelope());
    } else {
      teller.duplicate(delivery.envelope());
    }
  }

  /** How long to wait before the next attempt; empty if there is none. */
  private Optional<Duration> delayAfter(EventEnvelope envelope, Outcome outcome, History history) {
    Throwable error;
    if (outcome instanceof Outcome.Outage outage) {
      error = outage.error();
      if (gate.closeIfGone(error)) {
        return Optional.of(Duration.ZERO); // The gate makes us wait.
      }
      if (++history.freeRetries <= FREE_RETRIES) {
        Duration delay = config.retry().backoff().delayAfter(history.freeRetries, random);
        teller.attemptFailed(envelope, history.attempts + 1, error, delay);
        return Optional.of(delay);
      }
    } else {
      error = ((Outcome.Failed) outcome).error();
    }
    history.attempts++;
    history.lastError = error;
    history.firstFailure = history.firstFailure == null ? clock.instant() : history.firstFailure;
    Optional<Duration> delay = config.retry().delayAfter(history.attempts, random);
    teller.attemptFailed(envelope, history.attempts, error, delay.orElse(null));
    return delay;
  }

  /** Parks and then acks; keeps the delivery as long as the parking queue does not have it. */
  private void park(InboundDelivery delivery, RefusedDelivery why, History history)
      throws InterruptedException {
    ParkedMessage message = message(delivery, why, history);
    for (int attempt = 1; ; attempt++) {
      try {
        ConfirmedSend.toQueue(
            delivery.intake().connection(),
            config.parkingQueue(),
            ParkedFormat.write(message, delivery.properties()),
            delivery.body());
        break;
      } catch (IOException | RuntimeException e) {
        Duration delay = PARKING.delayAfter(attempt, random).orElseThrow();
        if (delivery.intake().isOpen()) {
          teller.notParked(why.reason(), e, delay);
        }
        if (delivery.intake().awaitQuiet(delay)) {
          return;
        }
        prepareParking(delivery.intake());
      }
    }
    checkpoints.accept(Checkpoint.BEFORE_ACK);
    delivery.ack();
    teller.parked(message, history.lastError);
  }

  private void prepareParking(Intake intake) {
    try {
      setup.prepareParking(intake.connection());
    } catch (IOException | TimeoutException | RuntimeException e) {
      teller.notParked(ParkReason.HANDLER_FAILED, e, Duration.ZERO);
    }
  }

  private ParkedMessage message(InboundDelivery delivery, RefusedDelivery why, History history) {
    EventEnvelope envelope = delivery.envelopeIfRead();
    Throwable error = history.lastError;
    return new ParkedMessage(
        UUID.randomUUID().toString(),
        why.reason(),
        String.valueOf(why.getMessage()),
        envelope == null
            ? ParkedFormat.safeShort(delivery.properties().getMessageId())
            : envelope.id().toString(),
        ParkedFormat.safeShort(delivery.properties().getType()),
        error == null ? null : error.getClass().getName(),
        history.attempts,
        history.firstFailure,
        clock.instant(),
        ParkedFormat.safeShort(delivery.exchange()),
        ParkedFormat.safeShort(delivery.routingKey()),
        delivery.body().length,
        ParkedFormat.isComplete(delivery.properties()));
  }
}
