// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.ConsumerBench.awaitState;
import static io.dddevents.rabbit.ConsumerBench.noted;
import static io.dddevents.rabbit.ConsumerBench.properties;
import static io.dddevents.rabbit.ConsumerBench.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import io.dddevents.EventHandler;
import io.dddevents.WireName;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.rabbit.RabbitConsumer.State;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.ManualClock;
import io.dddevents.testsupport.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/** What a consumer promises, on one broker. The inbox is the one in memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({LogGuard.class, LeakGuard.class})
@ExpectLog(value = Level.WARN, logger = "RabbitConsumer", required = false)
@ExpectLog(value = Level.ERROR, logger = "RabbitConsumer", required = false)
abstract class ConsumerContract {

  private static final EventHandler<Noted> NOTHING = (event, envelope) -> {};

  private ConsumerBench bench;
  private InMemoryInbox inbox;

  abstract String uri();

  /** The same over another port of this machine. */
  abstract String uri(int port);

  abstract int port();

  abstract QueueType queueType();

  /** Whether the broker's count leaves out what a consumer holds. */
  boolean countsReadyOnly() {
    return true;
  }

  @BeforeEach
  void open() throws Exception {
    bench = new ConsumerBench(uri(), queueType());
    inbox = new InMemoryInbox();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  final ConsumerBench bench() {
    return bench;
  }

  final RabbitConsumer.Builder consumer(ConsumerConfig config, EventHandler<Noted> handler) {
    return bench.consumer(config).inbox(inbox.unitOfWork(), inbox).handle(Noted.class, handler);
  }

  @Test
  void anEventReachesItsHandlerOnceAndItsMessageIsAcked() throws Exception {
    Queue<Noted> seen = new ConcurrentLinkedQueue<>();
    ConsumerConfig config = bench.config().build();
    EventEnvelope event = noted("a", 7);
    try (RabbitConsumer consumer =
        started(consumer(config, (noted, envelope) -> seen.add(noted)).build())) {
      bench.publish(event);
      bench.awaitHandled(event);
      assertThat(consumer.parked().list(10)).isEmpty();
    }
    assertThat(seen).containsExactly(new Noted("a", 7));
    assertThat(bench.ready(config.queue())).isZero();
  }

  @Test
  void b98ADuplicateNeverRunsTheHandlerWhateverTheBrokerSays() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    EventEnvelope event = noted("a", 1);
    try (RabbitConsumer consumer =
        started(
            consumer(bench.config().build(), (e, envelope) -> runs.incrementAndGet()).build())) {
      bench.publish(event, event, event);
      Await.until("two dropped", ConsumerBench.PATIENCE, () -> bench.duplicates.size() == 2);
      assertThat(consumer.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(runs).hasValue(1);
    assertThat(bench.handled).hasSize(1);
  }

  @Test
  @ExpectLog(value = Level.ERROR, logger = "RabbitConsumer", message = "ALARM.*ID_CONFLICT")
  void b95TheSameIdWithAnotherContentIsParkedWithAnAlarm() throws Exception {
    EventEnvelope event = noted("a", 1);
    EventEnvelope forged = noted(event.id(), "a", 2, event.occurredAt());
    try (RabbitConsumer consumer = started(consumer(bench.config().build(), NOTHING).build())) {
      bench.publish(event, forged);
      ParkedMessage parked = bench.awaitParked(ParkReason.ID_CONFLICT);
      assertThat(parked.messageId()).isEqualTo(event.id().toString());
      assertThat(consumer.parked().list(10)).containsExactly(parked);
    }
    assertThat(bench.handled).hasSize(1);
  }

  @Test
  void consumersOfOtherNamesHandleTheSameEventEach() throws Exception {
    ConsumerConfig billing = bench.config().build();
    ConsumerConfig shipping =
        ConsumerConfig.named(bench.queue() + "-2")
            .exchange(billing.exchange())
            .queueType(queueType())
            .singleActive(false)
            .bind(Noted.class)
            .build();
    EventEnvelope event = noted("a", 1);
    try (RabbitConsumer first = started(consumer(billing, NOTHING).build());
        RabbitConsumer second = started(consumer(shipping, NOTHING).build())) {
      bench.publish(event);
      bench.awaitHandled(2);
      assertThat(first.state()).isEqualTo(second.state());
    }
    assertThat(bench.duplicates).isEmpty();
  }

  @Test
  void aFailingHandlerIsRetriedInPlaceBeforeTheNextEventOfTheAggregate() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    EventHandler<Noted> failsTwice =
        (noted, envelope) -> {
          if (noted.number() == 1 && runs.incrementAndGet() < 3) {
            throw new IllegalStateException("not yet");
          }
          done.add(noted.number());
        };
    try (RabbitConsumer consumer = started(consumer(bench.config().build(), failsTwice).build())) {
      bench.publish(noted("a", 1), noted("a", 2), noted("a", 3));
      bench.awaitHandled(3);
      assertThat(consumer.parked().list(10)).isEmpty();
    }
    assertThat(done).containsExactly(1, 2, 3);
  }

  @Test
  void f61AHandlerThatAlwaysFailsIsParkedWithItsHistoryAndOthersFlowOn() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    EventHandler<Noted> fails =
        (noted, envelope) -> {
          if (noted.what().equals("bad")) {
            runs.incrementAndGet();
            throw new IllegalStateException("secret 4711");
          }
        };
    EventEnvelope bad = noted("bad", 1);
    EventEnvelope good = noted("good", 1);
    ConsumerConfig config = bench.config().build();
    try (RabbitConsumer consumer = started(consumer(config, fails).build())) {
      bench.publish(bad, good);
      bench.awaitHandled(good);
      ParkedMessage parked = bench.awaitParked(ParkReason.HANDLER_FAILED);
      assertThat(consumer.parked().list(10)).containsExactly(parked);
      assertThat(parked.error()).isEqualTo("java.lang.IllegalStateException");
      assertThat(parked.attempts()).isEqualTo(3);
      assertThat(parked.firstFailure()).isBefore(parked.parkedAt());
      assertThat(parked.exchange()).isEqualTo(config.exchange());
      assertThat(parked.routingKey()).isEqualTo("test.noted");
      assertThat(parked.toString()).doesNotContain("4711");
    }
    assertThat(runs).as("no hot loop").hasValue(3);
    assertThat(bench.failures).containsEntry(bad.id(), 3).hasSize(1);
  }

  @Test
  void aParkedMessageCanBeShownAndRetriedAndDiscarded() throws Exception {
    AtomicInteger broken = new AtomicInteger(1);
    EventHandler<Noted> handler =
        (noted, envelope) -> {
          if (broken.get() == 1) {
            throw new IllegalStateException("broken");
          }
        };
    EventEnvelope one = noted("a", 1);
    EventEnvelope two = noted("b", 2);
    try (RabbitConsumer consumer = started(consumer(bench.config().build(), handler).build())) {
      bench.publish(one, two);
      Await.until("both parked", ConsumerBench.PATIENCE, () -> bench.parked.size() == 2);
      ParkedMessages parked = consumer.parked();
      assertThat(parked.list(1)).hasSize(1);
      String first = idOf(parked, one);
      String second = idOf(parked, two);
      assertThat(parked.show(first).orElseThrow().messageId()).isEqualTo(one.id().toString());
      assertThat(parked.body(first).orElseThrow()).isEqualTo(one.payload());
      assertThat(parked.show("unknown")).isEmpty();
      assertThat(parked.retry("unknown")).isFalse();
      broken.set(0);
      assertThat(parked.retry(first)).isTrue();
      bench.awaitHandled(one);
      assertThat(parked.discard(second, "a test")).isTrue();
      assertThat(parked.discard(second, "a test")).isFalse();
      assertThat(parked.list(10)).isEmpty();
    }
    assertThat(bench.handledIds()).containsExactly(one.id());
    assertThat(bench.parked).as("the hash still fits after parking and retrying").hasSize(2);
  }

  @Test
  void eventsRaisedInAHandlerBelongToTheConversationAndTraceOfTheHandledOne() throws Exception {
    Queue<EventContext> contexts = new ConcurrentLinkedQueue<>();
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    EventEnvelope plain = noted("a", 1);
    EventEnvelope event =
        EventEnvelope.builder(UUID.randomUUID(), plain.type())
            .occurredAt(Instant.now())
            .context(
                new EventContext("t1", "conversation", "cause", trace, Map.of("k", "line\nbreak")))
            .payload("application/json", plain.payload())
            .build();
    try (RabbitConsumer consumer =
        started(
            consumer(
                    bench.config().tenants(Set.of("t1")).build(),
                    (e, envelope) -> contexts.add(EventContext.current()))
                .build())) {
      bench.publish(event);
      bench.awaitHandled(event);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertThat(contexts)
        .containsExactly(
            new EventContext("t1", "conversation", event.id().toString(), trace, Map.of()));
  }

  @Test
  void anOldVersionIsUpcastBeforeTheHandler() throws Exception {
    Queue<Noted> seen = new ConcurrentLinkedQueue<>();
    EventEnvelope old =
        EventEnvelope.builder(UUID.randomUUID(), new WireName("test.noted", 1))
            .occurredAt(Instant.now())
            .payload("application/json", ConsumerBench.json("{\"what\":\"old\"}"))
            .build();
    try (RabbitConsumer consumer =
        started(consumer(bench.config().build(), (e, envelope) -> seen.add(e)).build())) {
      bench.publish(old);
      bench.awaitHandled(old);
      assertThat(consumer.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(seen).containsExactly(new Noted("old", 1));
  }

  @Test
  void b93AMessageWithoutAHashIsHandledIfThatIsAllowed() throws Exception {
    EventEnvelope event = noted("a", 1);
    Map<String, Object> headers = new HashMap<>(properties(event).getHeaders());
    headers.remove(EventMessage.SHA256);
    try (RabbitConsumer consumer =
        started(consumer(bench.config().hashRequired(false).build(), NOTHING).build())) {
      bench.publish(properties(event).builder().headers(headers).build(), event.payload());
      bench.awaitHandled(event);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
  }

  @Test
  void f64AMessageOlderThanTheWindowIsParkedUnlessTheInboxStillKnowsIt() throws Exception {
    ManualClock clock = new ManualClock(Instant.now());
    EventEnvelope known = noted("a", 1);
    EventEnvelope unknown = noted("b", 1);
    try (RabbitConsumer consumer =
        started(consumer(bench.config().build(), NOTHING).clock(clock).build())) {
      bench.publish(known);
      bench.awaitHandled(known);
      clock.advance(Duration.ofDays(7).plusMinutes(1));
      bench.publish(known, unknown);
      assertThat(bench.awaitParked(ParkReason.TOO_OLD).messageId())
          .isEqualTo(unknown.id().toString());
      Await.until("dropped", ConsumerBench.PATIENCE, () -> bench.duplicates.size() == 1);
      assertThat(consumer.parked().list(10)).hasSize(1);
    }
  }

  @Test
  void f62AHandlerThatHangsIsInterruptedAndThatCountsAsAFailedAttempt() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    EventHandler<Noted> hangsOnce =
        (noted, envelope) -> {
          if (runs.incrementAndGet() == 1) {
            never.await();
          }
        };
    EventEnvelope event = noted("a", 1);
    ConsumerConfig config = bench.config().handlerTimeout(Duration.ofMillis(100)).build();
    try (RabbitConsumer consumer = started(consumer(config, hangsOnce).build())) {
      bench.publish(event);
      bench.awaitHandled(event);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertThat(runs).hasValue(2);
    assertThat(bench.failures).containsEntry(event.id(), 1);
  }

  @Test
  void eventsOfOneAggregateAreHandledInOrderByManyWorkers() throws Exception {
    Map<String, Queue<Integer>> seen = new ConcurrentHashMap<>();
    EventHandler<Noted> handler =
        (noted, envelope) ->
            seen.computeIfAbsent(noted.what(), key -> new ConcurrentLinkedQueue<>())
                .add(noted.number());
    List<EventEnvelope> events = new ArrayList<>();
    for (int number = 1; number <= 30; number++) {
      for (int aggregate = 0; aggregate < 20; aggregate++) {
        events.add(noted("a" + aggregate, number));
      }
    }
    ConsumerConfig config = bench.config().workers(8).build();
    try (RabbitConsumer consumer = started(consumer(config, handler).build())) {
      bench.publish(events);
      bench.awaitHandled(600);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertThat(seen).hasSize(20);
    seen.values().forEach(numbers -> assertThat(List.copyOf(numbers)).hasSize(30).isSorted());
  }

  @Test
  void f66IfTheParkingQueueIsGoneTheMessageIsKeptUntilItStandsThere() throws Exception {
    EventHandler<Noted> fails =
        (noted, envelope) -> {
          throw new IllegalStateException("always");
        };
    ConsumerConfig declaring = bench.config().build();
    bench.prepare(declaring);
    ConsumerConfig config = bench.config().declare(false).build();
    EventEnvelope event = noted("a", 1);
    try (RabbitConsumer consumer = started(consumer(config, fails).build())) {
      bench.delete(config.parkingQueue());
      bench.publish(event);
      Await.until("three attempts", ConsumerBench.PATIENCE, () -> bench.failures.containsValue(3));
      assertThat(bench.parked).isEmpty();
      bench.prepare(declaring);
      bench.awaitParked(ParkReason.HANDLER_FAILED);
      assertThat(consumer.parked().list(10)).hasSize(1);
    }
    assertThat(bench.ready(config.queue())).isZero();
  }

  @Test
  void aLostConnectionIsOpenedAgainAndNothingIsLostOrHandledTwice() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (TcpProxy proxy = TcpProxy.to(port());
        RabbitConsumer consumer =
            started(
                consumer(bench.config().build(), (e, envelope) -> runs.incrementAndGet())
                    .uri(URI.create(uri(proxy.port())))
                    .build())) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        events.add(noted("a" + i % 5, i));
      }
      bench.publish(events.subList(0, 50));
      proxy.cut();
      bench.publish(events.subList(50, 100));
      Await.until("all handled", ConsumerBench.PATIENCE, () -> bench.handledIds().size() == 100);
      awaitState(consumer, State.CONSUMING);
    }
    assertThat(runs).hasValue(100);
    assertThat(bench.disconnects).isNotEmpty();
  }

  @Test
  void f67StoppingFinishesWhatRunsAndGivesTheRestBack() throws Exception {
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch mayEnd = new CountDownLatch(1);
    EventHandler<Noted> slow =
        (noted, envelope) -> {
          running.countDown();
          mayEnd.await();
        };
    ConsumerConfig config = bench.config().prefetch(200).workers(2).build();
    bench.prepare(config);
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      events.add(noted("a" + i % 10, i));
    }
    bench.publish(events);
    RabbitConsumer consumer = started(consumer(config, slow).build());
    ConsumerBench.await(running);
    if (countsReadyOnly()) {
      Await.until("prefetched", ConsumerBench.PATIENCE, () -> bench.ready(config.queue()) == 0);
    }
    Thread closing = new Thread(consumer::close, "closing");
    closing.start();
    Await.until(
        "closing waits", ConsumerBench.PATIENCE, () -> closing.getState() == Thread.State.WAITING);
    mayEnd.countDown();
    closing.join();
    consumer.close();
    assertThat(consumer.state()).isEqualTo(State.STOPPED);
    int finished = bench.handled.size();
    assertThat(finished).as("what ran was finished, what waited was not begun").isBetween(2, 20);
    Await.until(
        "the rest is back",
        ConsumerBench.PATIENCE,
        () -> bench.ready(config.queue()) == 200 - finished);
    try (RabbitConsumer next = started(consumer(config, NOTHING).build())) {
      bench.awaitHandled(200);
      assertThat(next.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(bench.handledIds()).hasSize(200);
    assertThat(bench.duplicates).as("a clean stop makes no duplicate").isEmpty();
  }

  @Test
  void aHandlerThatDoesNotEndIsInterruptedWhenTheConsumerStops() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    EventHandler<Noted> hangs =
        (noted, envelope) -> {
          running.countDown();
          never.await();
        };
    ConsumerConfig config = bench.config().stopTimeout(Duration.ofMillis(50)).build();
    RabbitConsumer consumer = started(consumer(config, hangs).build());
    bench.publish(noted("a", 1));
    ConsumerBench.await(running);
    consumer.close();
    assertThat(bench.handled).isEmpty();
    Await.until("it is back", ConsumerBench.PATIENCE, () -> bench.ready(config.queue()) == 1);
    assertThat(bench.ready(config.parkingQueue())).isZero();
  }

  static List<BadMessage> badMessages() {
    return BadMessage.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badMessages")
  void aBadMessageIsParkedWithAReasonAndTheQueueFlowsOn(BadMessage bad) throws Exception {
    ConsumerConfig config = bench.config().tenants(bad.tenants()).build();
    EventEnvelope after = bad.tenants().isEmpty() ? noted("a", 2) : null;
    try (RabbitConsumer consumer = started(consumer(config, NOTHING).build())) {
      bench.publish(bad.properties(), bad.body());
      bench.awaitParked(bad.reason());
      if (after != null) {
        bench.publish(after);
        bench.awaitHandled(after);
      }
      ParkedMessage parked = consumer.parked().list(10).get(0);
      assertThat(parked.reason()).isEqualTo(bad.reason());
      assertThat(consumer.parked().body(parked.id()).orElseThrow()).isEqualTo(bad.body());
      assertThat(parked.detail()).doesNotContain("passwd").doesNotContain("\n");
      if (parked.complete()) {
        assertThat(consumer.parked().retry(parked.id())).isTrue();
        Await.until("parked again", ConsumerBench.PATIENCE, () -> bench.parked.size() == 2);
      } else {
        assertThatThrownBy(() -> consumer.parked().retry(parked.id()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("not safe");
      }
      assertThat(consumer.parked().list(10)).hasSize(1);
    }
    assertThat(bench.handled).hasSize(after == null ? 0 : 1);
    assertThat(bench.disconnects).isEmpty();
  }

  private static String idOf(ParkedMessages parked, EventEnvelope event) {
    return parked.list(10).stream()
        .filter(each -> event.id().toString().equals(each.messageId()))
        .findFirst()
        .orElseThrow()
        .id();
  }
}
