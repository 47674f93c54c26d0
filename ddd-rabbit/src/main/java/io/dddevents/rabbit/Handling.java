// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.DomainEvent;
import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import io.dddevents.EventHandler;
import io.dddevents.EventSerializer;
import io.dddevents.Inbox;
import io.dddevents.Inbox.Receipt;
import io.dddevents.UnitOfWork;
import io.dddevents.UnreadableEventException;
import io.dddevents.rabbit.RabbitConsumer.Parts;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One attempt: checks, then a transaction in which the inbox is asked first and the handler runs
 * second. Whether the broker calls a delivery redelivered is never asked: a duplicate that was
 * published twice is not.
 */
final class Handling {

  private enum Stage {
    BEGIN,
    INBOX,
    HANDLER
  }

  private final ConsumerConfig config;
  private final UnitOfWork unitOfWork;
  private final Inbox inbox;
  private final EventSerializer serializer;
  private final Map<Class<? extends DomainEvent>, EventHandler<?>> handlers;
  private final Clock clock;
  private final Consumer<Checkpoint> checkpoints;
  private final Watchdog watchdog;

  Handling(Parts parts, Watchdog watchdog) {
    this.config = parts.config();
    this.unitOfWork = parts.unitOfWork();
    this.inbox = parts.inbox();
    this.serializer = parts.serializer();
    this.handlers = parts.handlers();
    this.clock = parts.clock();
    this.checkpoints = parts.checkpoints();
    this.watchdog = watchdog;
  }

  Outcome attempt(InboundDelivery delivery) {
    EventEnvelope envelope;
    DomainEvent event;
    EventHandler<?> handler;
    try {
      envelope = delivery.envelope();
      requireTrusted(delivery, envelope);
      event = deserialize(envelope);
      handler = handlerOf(event);
    } catch (RefusedDelivery e) {
      return new Outcome.Refused(e);
    }
    return inTransaction(envelope, event, handler);
  }

  private Outcome inTransaction(
      EventEnvelope envelope, DomainEvent event, EventHandler<?> handler) {
    Stage[] stage = {Stage.BEGIN};
    try {
      Receipt receipt =
          unitOfWork.<Receipt, Exception>call(
              () -> {
                stage[0] = Stage.INBOX;
                Receipt answer =
                    inbox.receive(config.name(), envelope.id().toString(), envelope.sha256());
                stage[0] = Stage.HANDLER;
                if (requireFirst(answer, envelope)) {
                  watchdog.guard(() -> handle(handler, event, envelope));
                }
                checkpoints.accept(Checkpoint.BEFORE_COMMIT);
                return answer;
              });
      return receipt == Receipt.FIRST ? new Outcome.Handled() : new Outcome.Duplicate();
    } catch (RefusedDelivery e) {
      return new Outcome.Refused(e);
    } catch (Throwable e) {
      // An Error of a handler, too, is one failed attempt and not the end of the consumer.
      return stage[0] != Stage.HANDLER || Outages.isOutage(e)
          ? new Outcome.Outage(e)
          : new Outcome.Failed(e);
    }
  }

  private boolean requireFirst(Receipt receipt, EventEnvelope envelope) {
    if (receipt == Receipt.CONFLICT) {
      throw new RefusedDelivery(
          ParkReason.ID_CONFLICT, "its id was handled before with another content");
    }
    Instant oldest = clock.instant().minus(config.window());
    if (receipt == Receipt.FIRST && envelope.occurredAt().isBefore(oldest)) {
      throw new RefusedDelivery(
          ParkReason.TOO_OLD,
          "it occurred at "
              + envelope.occurredAt()
              + ", before the window ("
              + config.window()
              + "): whether it was handled before, nobody knows any more");
    }
    return receipt == Receipt.FIRST;
  }

  /** Safe, because handlers are registered together with their class. */
  @SuppressWarnings("unchecked")
  private static <E extends DomainEvent> void handle(
      EventHandler<E> handler, DomainEvent event, EventEnvelope envelope) throws Exception {
    EventContext.causedBy(envelope)
        .<Boolean>call(
            () -> {
              handler.handle((E) event, envelope);
              return true;
            });
  }

  private void requireTrusted(InboundDelivery delivery, EventEnvelope envelope) {
    if (!config.tenants().isEmpty()) {
      String tenant = envelope.context().tenant();
      if (tenant == null || !config.tenants().contains(tenant)) {
        throw new RefusedDelivery(
            ParkReason.FOREIGN_TENANT, "it belongs to a tenant that is not served here");
      }
    }
    Instant latest = clock.instant().plus(ConsumerConfig.CLOCK_TOLERANCE);
    if (envelope.occurredAt().isAfter(latest)) {
      throw new RefusedDelivery(
          ParkReason.CLOCK, "it occurred at " + envelope.occurredAt() + ", in the future");
    }
    Optional<byte[]> claimed = claimedHash(delivery);
    if (claimed.isEmpty() && config.hashRequired()) {
      throw new RefusedDelivery(
          ParkReason.INTEGRITY, "it has no header " + EventMessage.SHA256 + "; see hashRequired");
    }
    if (claimed.isPresent() && !MessageDigest.isEqual(claimed.get(), envelope.sha256())) {
      throw new RefusedDelivery(
          ParkReason.INTEGRITY, "its hash does not fit: it is not what was published");
    }
  }

  private static Optional<byte[]> claimedHash(InboundDelivery delivery) {
    try {
      return EventMessage.sha256(delivery.properties());
    } catch (UnreadableEventException e) {
      throw new RefusedDelivery(ParkReason.INTEGRITY, String.valueOf(e.getMessage()));
    }
  }

  private DomainEvent deserialize(EventEnvelope envelope) {
    try {
      return serializer.deserialize(envelope);
    } catch (UnreadableEventException e) {
      throw new RefusedDelivery(ParkReason.of(e.reason()), String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      throw new RefusedDelivery(
          ParkReason.BAD_PAYLOAD, envelope + " was not read: " + e.getClass().getName());
    }
  }

  private EventHandler<?> handlerOf(DomainEvent event) {
    EventHandler<?> handler = handlers.get(event.getClass());
    if (handler == null) {
      throw new RefusedDelivery(
          ParkReason.NO_HANDLER,
          "consumer '"
              + config.name()
              + "' has no handler for "
              + event.getClass().getName()
              + "; add one, or bind the queue to what it handles only");
    }
    return handler;
  }
}
