// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.dddevents.Publication;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.testsupport.RabbitNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Not a test: run its main to see how many events per second one publisher brings to a queue. */
final class PublisherThroughput {

  private PublisherThroughput() {}

  public static void main(String[] arguments) throws Exception {
    int events = Integer.parseInt(arguments[0]);
    try (RabbitNode node = new RabbitNode().start()) {
      bind(node.uri());
      byte[] payload = new byte[1024];
      Publication[] sent =
          IntStream.range(0, 1_000)
              .mapToObj(n -> Publications.event(Publications.PLACED, n, payload, "relay-1"))
              .toArray(Publication[]::new);
      try (RabbitPublisher publisher =
          RabbitPublisher.start(
              RabbitConnection.uri(node.uri()).build(), RabbitPublisherConfig.defaults("shop"))) {
        publisher.awaitConnected(Duration.ofSeconds(30));
        for (int round = 0; round < 4; round++) {
          run(publisher, sent, events, round);
        }
      }
    }
  }

  private static void bind(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("domain.events", "topic", true);
      Map<String, Object> quorum = Map.of("x-queue-type", "quorum", "x-max-length", 10_000);
      channel.queueDeclare("orders", true, false, false, quorum);
      channel.queueBind("orders", "domain.events", "#");
    }
  }

  private static void run(RabbitPublisher publisher, Publication[] sent, int events, int round)
      throws InterruptedException {
    AtomicLong confirmed = new AtomicLong();
    CountDownLatch left = new CountDownLatch(events);
    Duration cpu = cpu();
    long begin = System.nanoTime();
    for (int i = 0; i < events; i++) {
      var unused =
          publisher
              .publish(sent[i % sent.length])
              .thenAccept(
                  result -> {
                    if (result.outcome() == Outcome.CONFIRMED) {
                      confirmed.incrementAndGet();
                    }
                    left.countDown();
                  });
    }
    left.await();
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "round %d: %d of %d confirmed, %.0f/s, %.1f us CPU of this JVM per event%n",
        round,
        confirmed.get(),
        events,
        events / seconds,
        cpu().minus(cpu).toNanos() / 1e3 / events);
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
