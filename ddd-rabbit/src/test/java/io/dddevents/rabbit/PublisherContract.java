// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Publications.PLACED;
import static io.dddevents.rabbit.Publications.envelope;
import static io.dddevents.rabbit.Publications.event;
import static io.dddevents.rabbit.Publications.outcomes;
import static io.dddevents.rabbit.Publications.placed;
import static io.dddevents.rabbit.Publications.publish;
import static io.dddevents.rabbit.Publications.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.dddevents.EventEnvelope;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.rabbit.PublisherState.Status;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.TcpProxy;
import io.dddevents.testsupport.TcpProxy.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.event.Level;

/** What holds on every broker. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExpectLog(value = Level.WARN, logger = "RabbitPublisher", required = false)
abstract class PublisherContract {

  static final Duration SOON = Duration.ofSeconds(15);

  private final List<AutoCloseable> open = new ArrayList<>();
  private int count;
  String exchange = "";
  String queue = "";
  private @Nullable Wire openWire;

  /** The URI of the broker over a port of this machine; its own if empty. */
  abstract String uri(int port);

  abstract int port();

  @BeforeEach
  void bind() throws Exception {
    exchange = "events-" + ++count;
    queue = "orders-" + count;
    Wire wire = new Wire(uri(port()));
    openWire = wire;
    open.add(wire);
    wire.queue(exchange, queue, "order.#");
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    open.clear();
  }

  Wire wire() {
    return Objects.requireNonNull(openWire, "wire");
  }

  RabbitPublisherConfig.Builder config() {
    return RabbitPublisherConfig.builder("shop").exchange(exchange);
  }

  RabbitPublisher start(RabbitPublisherConfig.Builder config) throws InterruptedException {
    return start(config, port());
  }

  RabbitPublisher start(RabbitPublisherConfig.Builder config, int port)
      throws InterruptedException {
    RabbitPublisher publisher = startUnconnected(config, port);
    assertThat(publisher.awaitConnected(SOON)).as(publisher.state().toString()).isTrue();
    return publisher;
  }

  RabbitPublisher startUnconnected(RabbitPublisherConfig.Builder config, int port) {
    RabbitPublisher publisher =
        RabbitPublisher.start(RabbitConnection.uri(uri(port)).build(), config.build());
    open.add(publisher);
    return publisher;
  }

  TcpProxy proxy() {
    TcpProxy proxy = TcpProxy.to(port());
    open.add(proxy);
    return proxy;
  }

  @Test
  void anEventThatReachesAQueueIsConfirmedAndPersistent() throws Exception {
    Publication publication = placed(1);
    PublishResult result = result(start(config()).publish(publication));
    assertThat(result).isEqualTo(PublishResult.confirmed());
    GetResponse got = wire().drain(queue).get(0);
    assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
    assertThat(got.getEnvelope().getRoutingKey()).isEqualTo(PLACED);
    EventEnvelope read = EventMessage.envelope(got.getProps(), got.getBody());
    assertThat(read.sha256()).isEqualTo(publication.envelope().sha256());
    assertThat(EventMessage.sha256(got.getProps())).contains(read.sha256());
  }

  @Test
  void anEventWithoutAQueueIsUnroutableAndItsNeighboursAreNot() throws Exception {
    RabbitPublisher publisher = start(config());
    List<CompletableFuture<PublishResult>> routed = new ArrayList<>();
    List<CompletableFuture<PublishResult>> unrouted = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      routed.add(publisher.publish(placed(i)));
      unrouted.add(publisher.publish(event("nobody.listens", i, new byte[] {1}, "r")));
    }
    assertThat(outcomes(routed)).containsOnly(Outcome.CONFIRMED);
    assertThat(outcomes(unrouted)).containsOnly(Outcome.UNROUTABLE);
    assertThat(wire().drain(queue)).hasSize(300);
  }

  @Test
  void theSameEventTwiceWithoutAQueueIsUnroutableTwice() throws Exception {
    RabbitPublisher publisher = start(config());
    Publication publication = event("nobody.listens", 1, new byte[] {1}, "r");
    List<Publication> twice = List.of(publication, publication, publication);
    assertThat(outcomes(publish(publisher, twice))).containsOnly(Outcome.UNROUTABLE);
  }

  @Test
  void anEventThatMayBeUnroutedIsConfirmedWithoutAQueue() throws Exception {
    RabbitPublisher publisher = start(config().mayBeUnrouted("page.viewed"));
    assertThat(result(publisher.publish(event("page.viewed", 1, new byte[] {1}, "r"))))
        .isEqualTo(PublishResult.confirmed());
    assertThat(result(publisher.publish(event("page.closed", 1, new byte[] {1}, "r"))).outcome())
        .isEqualTo(Outcome.UNROUTABLE);
  }

  @Test
  void whatAmqpCannotCarryIsRefusedAndTheChannelStaysInStep() throws Exception {
    RabbitPublisher publisher =
        start(
            config()
                .maxBodyBytes(1_000)
                .routing(
                    e ->
                        switch (e.type().name()) {
                          case "key.long" -> "k".repeat(256);
                          case "key.wide" -> "€".repeat(85) + "x";
                          case "key.fails" -> throw new IllegalStateException("secret text");
                          default -> e.type().name();
                        },
                    List.of(envelope(PLACED, new byte[1]))));
    byte[] small = {1};
    List<Publication> bad =
        List.of(
            event("key.long", 1, small, "r"),
            event("key.wide", 1, small, "r"),
            event("key.fails", 1, small, "r"),
            event(PLACED, 1, new byte[1_001], "r"),
            event(PLACED, 1, small, "r".repeat(300_000)));
    for (Publication publication : bad) {
      PublishResult refused = result(publisher.publish(publication));
      assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
      assertThat(refused.detail()).startsWith("REFUSED: ").doesNotContain("secret");
      PublishResult good = result(publisher.publish(placed(2)));
      assertThat(good).isEqualTo(PublishResult.confirmed());
    }
    assertThat(wire().drain(queue)).hasSize(bad.size());
    assertThat(publisher.state().status()).isEqualTo(Status.CONNECTED);
  }

  @Test
  void twentyThousandEventsArriveInOrder() throws Exception {
    RabbitPublisher publisher = start(config());
    List<Publication> publications = placed(0, 20_000);
    assertThat(outcomes(publish(publisher, publications))).containsOnly(Outcome.CONFIRMED);
    List<String> sent = publications.stream().map(p -> p.envelope().id().toString()).toList();
    assertThat(received(20_000)).isEqualTo(sent);
  }

  private List<String> received(int number) throws Exception {
    List<String> ids = java.util.Collections.synchronizedList(new ArrayList<>());
    wire()
        .channel
        .basicConsume(
            queue,
            true,
            (tag, message) -> ids.add(message.getProperties().getMessageId()),
            tag -> {});
    Await.until("all are received", SOON, () -> ids.size() >= number);
    return List.copyOf(ids);
  }

  @Test
  void theWindowBoundsWhatIsUnconfirmed() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher = start(config().window(10), proxy.port());
    proxy.mode(Mode.HOLD_TO_CLIENT);
    List<CompletableFuture<PublishResult>> futures = publish(publisher, placed(0, 10));
    Thread[] waiting = new Thread[1];
    CompletableFuture<PublishResult> eleventh =
        CompletableFuture.supplyAsync(
            () -> {
              waiting[0] = Thread.currentThread();
              return result(publisher.publish(placed(11)));
            });
    Await.until(
        "the eleventh waits",
        SOON,
        () -> waiting[0] != null && waiting[0].getState() == Thread.State.WAITING);
    assertThat(futures).noneMatch(CompletableFuture::isDone);
    assertThat(wire().channel.messageCount(queue)).isLessThanOrEqualTo(10);
    proxy.mode(Mode.PASS);
    assertThat(outcomes(futures)).containsOnly(Outcome.CONFIRMED);
    assertThat(result(eleventh)).isEqualTo(PublishResult.confirmed());
  }

  @Test
  void whatHangsOnAResultMayPublishAgain() throws Exception {
    RabbitPublisher publisher = start(config().window(1));
    AtomicInteger left = new AtomicInteger(100);
    CompletableFuture<PublishResult> end = chain(publisher, left);
    assertThat(end.get(15, TimeUnit.SECONDS)).isEqualTo(PublishResult.confirmed());
    assertThat(wire().drain(queue)).hasSize(100);
  }

  private static CompletableFuture<PublishResult> chain(
      RabbitPublisher publisher, AtomicInteger left) {
    CompletableFuture<PublishResult> future = publisher.publish(placed(left.get()));
    return left.decrementAndGet() == 0
        ? future
        : future.thenCompose(result -> chain(publisher, left));
  }

  @Test
  void manyThreadsGetOneResultEach() throws Exception {
    RabbitPublisher publisher = start(config().window(50));
    List<CompletableFuture<List<Outcome>>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      threads.add(
          CompletableFuture.supplyAsync(() -> outcomes(publish(publisher, placed(0, 500)))));
    }
    for (CompletableFuture<List<Outcome>> thread : threads) {
      assertThat(thread.get(30, TimeUnit.SECONDS)).hasSize(500).containsOnly(Outcome.CONFIRMED);
    }
    assertThat(wire().drain(queue)).hasSize(2_000);
  }

  @Test
  void closingMakesWhatIsUnconfirmedUnknown() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher = start(config().closeTimeout(Duration.ofMillis(100)), proxy.port());
    proxy.mode(Mode.HOLD_TO_CLIENT);
    List<CompletableFuture<PublishResult>> futures = publish(publisher, placed(0, 50));
    publisher.close();
    publisher.close();
    assertThat(outcomes(futures)).containsOnly(Outcome.UNKNOWN);
    assertThat(publisher.state().status()).isEqualTo(Status.CLOSED);
    PublishResult after = result(publisher.publish(placed(1)));
    assertThat(after).isEqualTo(new PublishResult(Outcome.UNKNOWN, "the publisher is closed"));
  }

  @Test
  void closingWaitsForOpenConfirms() throws Exception {
    RabbitPublisher publisher = start(config());
    List<CompletableFuture<PublishResult>> futures = publish(publisher, placed(0, 500));
    publisher.close();
    assertThat(outcomes(futures)).containsOnly(Outcome.CONFIRMED);
  }

  @Test
  void anExchangeThatIsOnlyCheckedMustExist() throws Exception {
    String missing = exchange + "-missing";
    RabbitPublisher publisher =
        startUnconnected(config().exchange(missing).topology(RabbitTopology.CHECK), port());
    Await.until("it is told", SOON, () -> publisher.state().cause().contains(missing));
    assertThat(publisher.state().cause()).contains("CHECK", "404");
    assertThat(result(publisher.publish(placed(1))).outcome()).isEqualTo(Outcome.UNKNOWN);
    wire().queue(missing, queue, "#");
    assertThat(publisher.awaitConnected(SOON)).isTrue();
    assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
  }
}
