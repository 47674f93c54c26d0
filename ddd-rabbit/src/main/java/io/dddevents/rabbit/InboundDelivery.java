// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import io.dddevents.Aggregate;
import io.dddevents.EventEnvelope;
import io.dddevents.UnreadableEventException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One delivery of one channel: the message, what could be read of it, and how to ack it. */
final class InboundDelivery {

  private final Intake intake;
  private final Envelope amqp;
  private final BasicProperties properties;
  private final byte[] body;
  private final @Nullable EventEnvelope envelope;
  private final @Nullable RefusedDelivery refusal;

  InboundDelivery(
      Intake intake, Envelope amqp, BasicProperties properties, byte[] body, int maxPayloadBytes) {
    this.intake = intake;
    this.amqp = amqp;
    this.properties = properties;
    this.body = body;
    EventEnvelope read = null;
    RefusedDelivery refused = null;
    try {
      read = read(properties, body, maxPayloadBytes);
    } catch (RefusedDelivery e) {
      refused = e;
    }
    this.envelope = read;
    this.refusal = refused;
  }

  Intake intake() {
    return intake;
  }

  BasicProperties properties() {
    return properties;
  }

  byte[] body() {
    return body;
  }

  String exchange() {
    return amqp.getExchange();
  }

  String routingKey() {
    return amqp.getRoutingKey();
  }

  /** The event, or the reason why there is none. */
  EventEnvelope envelope() {
    if (envelope == null) {
      throw Objects.requireNonNull(refusal);
    }
    return envelope;
  }

  @Nullable EventEnvelope envelopeIfRead() {
    return envelope;
  }

  /** Equal for all events of one aggregate. */
  int lane() {
    if (envelope == null) {
      return Long.hashCode(amqp.getDeliveryTag());
    }
    Aggregate aggregate = envelope.aggregate().orElse(null);
    int hash =
        aggregate == null
            ? envelope.id().hashCode()
            : 31 * aggregate.type().hashCode() + aggregate.id().hashCode();
    // Ids that count upwards would otherwise visit the workers in step with their last digit.
    return hash ^ (hash >>> 16);
  }

  boolean ack() {
    return intake.ack(amqp.getDeliveryTag());
  }

  private static EventEnvelope read(BasicProperties properties, byte[] body, int maxPayloadBytes) {
    if (body.length > maxPayloadBytes) {
      throw new RefusedDelivery(
          ParkReason.TOO_LARGE,
          "the body has " + body.length + " bytes; at most " + maxPayloadBytes + " are read");
    }
    String id = properties.getMessageId();
    if (id == null || id.isEmpty()) {
      throw new RefusedDelivery(ParkReason.NO_ID, "the message has no id");
    }
    String encoding = properties.getContentEncoding();
    if (encoding != null && !encoding.isEmpty()) {
      throw new RefusedDelivery(
          ParkReason.CONTENT_ENCODING, "the message has a content encoding; none is decoded");
    }
    try {
      return EventMessage.envelope(properties, body);
    } catch (UnreadableEventException e) {
      throw new RefusedDelivery(ParkReason.of(e.reason()), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Whatever a hostile message provokes is the message's fault, not the consumer's.
      throw new RefusedDelivery(ParkReason.BAD_ENVELOPE, "not read: " + e.getClass().getName());
    }
  }
}
