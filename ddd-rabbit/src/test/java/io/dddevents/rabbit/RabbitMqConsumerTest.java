// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.ConsumerBench.noted;
import static io.dddevents.rabbit.ConsumerBench.properties;
import static io.dddevents.rabbit.ConsumerBench.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.EventEnvelope;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.RabbitNode;
import io.dddevents.testsupport.VirtualHost;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The whole contract on RabbitMQ, with quorum queues. */
final class RabbitMqConsumerTest extends ConsumerContract {

  private VirtualHost host;

  @BeforeAll
  void create() {
    host = RabbitNode.shared().newVirtualHost();
  }

  @AfterAll
  void delete() {
    host.close();
  }

  @Override
  String uri() {
    return host.uri();
  }

  @Override
  String uri(int port) {
    return host.uri(port);
  }

  @Override
  int port() {
    return RabbitNode.shared().port();
  }

  @Override
  QueueType queueType() {
    return QueueType.QUORUM;
  }

  @Test
  void b91AMessageBeyondTheClientsLimitEndsTheConnectionOnceAndIsParked() throws Exception {
    EventEnvelope before = noted("a", 1);
    EventEnvelope after = noted("a", 2);
    try (RabbitConsumer consumer =
        started(consumer(bench().config().build(), (e, envelope) -> {}).build())) {
      bench().publish(before);
      bench().publish(properties(noted("b", 1)), new byte[3 * 1024 * 1024]);
      bench().publish(after);
      bench().awaitHandled(after);
      bench().awaitParked(ParkReason.TOO_LARGE);
      assertThat(bench().disconnects).hasSize(1);
      assertThat(consumer.parked().list(10)).hasSize(1);
    }
  }

  @Test
  void b96HeadersThatTheClientCannotDecodeAreParkedByTheBroker() throws Exception {
    Object nested = "x";
    for (int depth = 0; depth < 40; depth++) {
      nested = Map.of("n", nested);
    }
    EventEnvelope bad = noted("a", 1);
    EventEnvelope after = noted("a", 2);
    Map<String, Object> headers = new HashMap<>(properties(bad).getHeaders());
    headers.put("nested", nested);
    ConsumerConfig config = bench().config().deliveryLimit(3).build();
    try (RabbitConsumer consumer = started(consumer(config, (e, envelope) -> {}).build())) {
      bench().publish(properties(bad).builder().headers(headers).build(), bad.payload());
      bench().publish(after);
      bench().awaitHandled(after);
      Await.until(
          "the broker parked it",
          ConsumerBench.PATIENCE,
          () -> bench().ready(config.parkingQueue()) == 1);
      assertThat(consumer.state()).isNotEqualTo(RabbitConsumer.State.STOPPED);
    }
    assertThat(bench().handledIds()).containsExactly(after.id());
  }

  @Test
  void b97BrokerHeadersOfTheWrongTypeAreIgnored() throws Exception {
    EventEnvelope event = noted("a", 1);
    Map<String, Object> headers = new HashMap<>(properties(event).getHeaders());
    headers.put("x-death", List.of("not", 1, "table"));
    headers.put("x-delivery-count", "many");
    headers.put("x-first-death-reason", 17);
    try (RabbitConsumer consumer =
        started(consumer(bench().config().build(), (e, envelope) -> {}).build())) {
      bench().publish(properties(event).builder().headers(headers).build(), event.payload());
      bench().awaitHandled(event);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
  }

  @Test
  void aQueueThatIsDeletedIsDeclaredAgain() throws Exception {
    EventEnvelope event = noted("a", 1);
    ConsumerConfig config = bench().config().build();
    try (RabbitConsumer consumer = started(consumer(config, (e, envelope) -> {}).build())) {
      bench().delete(config.queue());
      Await.until("noticed", ConsumerBench.PATIENCE, () -> !bench().disconnects.isEmpty());
      ConsumerBench.awaitState(consumer, RabbitConsumer.State.CONSUMING);
      bench().publish(event);
      bench().awaitHandled(event);
    }
  }
}
