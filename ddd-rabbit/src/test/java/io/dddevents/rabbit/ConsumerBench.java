// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.dddevents.Aggregate;
import io.dddevents.EventEnvelope;
import io.dddevents.EventSerializer;
import io.dddevents.EventTypes;
import io.dddevents.Publication;
import io.dddevents.RetryPolicy;
import io.dddevents.WireName;
import io.dddevents.jackson.JacksonEventSerializer;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.rabbit.RabbitConsumer.State;
import io.dddevents.testsupport.Await;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A queue, a way to publish into it, and a record of what the consumer tells. */
final class ConsumerBench implements AutoCloseable, ConsumerListener {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final EventSerializer SERIALIZER =
      JacksonEventSerializer.builder()
          .types(EventTypes.of(Noted.class, Unwanted.class))
          .upcast("test.noted", 1, payload -> payload.put("number", 1))
          .build();

  private final String uri;
  private final QueueType queueType;
  private final String queue = "q-" + UUID.randomUUID().toString().substring(0, 8);
  private final Connection connection;
  private final Channel channel;

  final Queue<EventEnvelope> handled = new ConcurrentLinkedQueue<>();
  final Queue<EventEnvelope> duplicates = new ConcurrentLinkedQueue<>();
  final Queue<ParkedMessage> parked = new ConcurrentLinkedQueue<>();
  final Map<UUID, Integer> failures = new ConcurrentHashMap<>();
  final Queue<Throwable> pauses = new ConcurrentLinkedQueue<>();
  final Queue<Throwable> disconnects = new ConcurrentLinkedQueue<>();

  ConsumerBench(String uri, QueueType queueType) throws Exception {
    this.uri = uri;
    this.queueType = queueType;
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    factory.setAutomaticRecoveryEnabled(false);
    connection = factory.newConnection("bench");
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  String queue() {
    return queue;
  }

  /** Small and quick settings on this bench's queue. */
  ConsumerConfig.Builder config() {
    return ConsumerConfig.named(queue)
        .exchange(queue + ".events")
        .queueType(queueType)
        .singleActive(queueType == QueueType.QUORUM)
        .bind("test.#")
        .retry(RetryPolicy.exponential(Duration.ofMillis(10), Duration.ofMillis(40), 3))
        .stopTimeout(Duration.ofSeconds(10));
  }

  RabbitConsumer.Builder consumer(ConsumerConfig config) {
    return RabbitConsumer.builder(config)
        .uri(URI.create(uri))
        .serializer(SERIALIZER)
        .listener(this);
  }

  /** Creates the queues before any consumer does. */
  void prepare(ConsumerConfig config) throws Exception {
    new QueueSetup(config, config.bindings()).prepare(connection);
  }

  static RabbitConsumer started(RabbitConsumer consumer) {
    consumer.start();
    awaitState(consumer, State.CONSUMING);
    return consumer;
  }

  static void awaitState(RabbitConsumer consumer, State state) {
    Await.until("consumer is " + state, PATIENCE, () -> consumer.state() == state);
  }

  static void await(CountDownLatch latch) {
    Await.until("the latch is open", PATIENCE, () -> latch.getCount() == 0);
  }

  static EventEnvelope noted(String aggregate, int number) {
    return noted(UUID.randomUUID(), aggregate, number, Instant.now());
  }

  static EventEnvelope noted(UUID id, String aggregate, int number, Instant occurredAt) {
    return EventEnvelope.builder(id, new WireName("test.noted", 2))
        .aggregate(new Aggregate("Note", aggregate, (long) number))
        .occurredAt(occurredAt)
        .payload(
            "application/json", json("{\"what\":\"" + aggregate + "\",\"number\":" + number + "}"))
        .build();
  }

  static byte[] json(String text) {
    return text.getBytes(UTF_8);
  }

  static BasicProperties properties(EventEnvelope envelope) {
    return EventMessage.properties(new Publication(envelope, 1, 1, "bench"), "bench");
  }

  void publish(EventEnvelope... envelopes) throws Exception {
    publish(List.of(envelopes));
  }

  void publish(List<EventEnvelope> envelopes) throws Exception {
    for (EventEnvelope envelope : envelopes) {
      channel.basicPublish(
          queue + ".events",
          envelope.type().name(),
          true,
          properties(envelope),
          envelope.payload());
    }
    channel.waitForConfirmsOrDie(PATIENCE.toMillis());
  }

  void publish(BasicProperties properties, byte[] body) throws Exception {
    channel.basicPublish(queue + ".events", "test.noted", true, properties, body);
    channel.waitForConfirmsOrDie(PATIENCE.toMillis());
  }

  /** Messages that are ready, not those that a consumer holds. */
  long ready(String name) throws Exception {
    return channel.messageCount(name);
  }

  void delete(String name) throws Exception {
    channel.queueDelete(name);
  }

  void awaitHandled(int count) {
    Await.until(count + " handled", PATIENCE, () -> handled.size() >= count);
  }

  void awaitHandled(EventEnvelope envelope) {
    Await.until(
        envelope + " handled",
        PATIENCE,
        () -> handled.stream().anyMatch(each -> each.id().equals(envelope.id())));
  }

  ParkedMessage awaitParked(ParkReason reason) {
    Await.until(
        "parked " + reason + ", parked are " + parked,
        PATIENCE,
        () -> parked.stream().anyMatch(each -> each.reason() == reason));
    return parked.stream().filter(each -> each.reason() == reason).findFirst().orElseThrow();
  }

  Set<UUID> handledIds() {
    return Set.copyOf(handled.stream().map(EventEnvelope::id).distinct().toList());
  }

  @Override
  public void handled(EventEnvelope envelope) {
    handled.add(envelope);
  }

  @Override
  public void duplicate(EventEnvelope envelope) {
    duplicates.add(envelope);
  }

  @Override
  public void attemptFailed(EventEnvelope envelope, int attempt, Throwable error) {
    failures.merge(envelope.id(), 1, Integer::sum);
  }

  @Override
  public void parked(ParkedMessage message) {
    parked.add(message);
  }

  @Override
  public void paused(Throwable cause) {
    pauses.add(cause);
  }

  @Override
  public void disconnected(Throwable cause) {
    disconnects.add(cause);
  }

  @Override
  public void close() {
    connection.abort();
  }
}
