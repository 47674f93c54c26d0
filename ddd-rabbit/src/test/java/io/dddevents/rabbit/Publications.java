// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dddevents.Aggregate;
import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.WireName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Events to publish, and their results. */
final class Publications {

  static final String PLACED = "order.placed";
  private static final Instant NOW = Instant.parse("2026-11-18T10:00:00.123456Z");

  private Publications() {}

  static Publication placed(int n) {
    return event(PLACED, n, ("{\"n\":" + n + "}").getBytes(UTF_8), "relay-1");
  }

  static Publication event(String type, int n, byte[] payload, String relay) {
    return new Publication(envelope(type, payload), n, 1, relay);
  }

  static EventEnvelope envelope(String type, byte[] payload) {
    return EventEnvelope.builder(UUID.randomUUID(), new WireName(type, 1))
        .aggregate(new Aggregate("Order", "4711", 3L))
        .occurredAt(NOW)
        .context(new EventContext("acme", "corr", "cause", null, Map.of("colour", "grün")))
        .payload("application/json", payload)
        .build();
  }

  static List<Publication> placed(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(Publications::placed).toList();
  }

  static List<CompletableFuture<PublishResult>> publish(
      RabbitPublisher publisher, List<Publication> publications) {
    return publications.stream().map(publisher::publish).toList();
  }

  static PublishResult result(CompletableFuture<PublishResult> future) {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the future did not complete normally", e);
    }
  }

  static List<PublishResult.Outcome> outcomes(List<CompletableFuture<PublishResult>> futures) {
    return futures.stream().map(future -> result(future).outcome()).toList();
  }
}
