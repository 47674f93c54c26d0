// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.ConsumerBench.awaitState;
import static io.dddevents.rabbit.ConsumerBench.noted;
import static io.dddevents.rabbit.ConsumerBench.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.EventEnvelope;
import io.dddevents.EventHandler;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.rabbit.RabbitConsumer.State;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.ChildJvm;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.RabbitNode;
import io.dddevents.testsupport.TcpProxy;
import io.dddevents.testsupport.VirtualHost;
import java.net.URI;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.Level;

/** Faults F57 to F67 on RabbitMQ and PostgreSQL. Sets are compared, not counts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({LogGuard.class, LeakGuard.class})
@ExpectLog(value = Level.WARN, logger = "RabbitConsumer", required = false)
@ExpectLog(value = Level.ERROR, logger = "RabbitConsumer", required = false)
final class ConsumerFaultTest {

  private VirtualHost host;
  private Database database;
  private Effects effects;
  private ConsumerBench bench;
  private ConsumerConfig config;

  @BeforeAll
  void create() {
    host = RabbitNode.shared().newVirtualHost();
  }

  @AfterAll
  void delete() {
    host.close();
  }

  @BeforeEach
  void open() throws Exception {
    database = Database.postgres();
    Effects.create(database);
    effects = new Effects(database.jdbcUrl(), database.user(), database.password());
    bench = new ConsumerBench(host.uri(), QueueType.QUORUM);
    config = ConsumerChild.settings(bench.queue()).build();
    bench.prepare(config);
  }

  @AfterEach
  void close() {
    bench.close();
    effects.close();
    database.close();
  }

  @ParameterizedTest(name = "F57 F58 F59 killed at {0}")
  @EnumSource(Checkpoint.class)
  void aConsumerThatIsKilledAnywhereAppliesEveryEventOnce(Checkpoint point) throws Exception {
    List<EventEnvelope> events = events(40, 4);
    bench.publish(events);
    try (ChildJvm child =
        ChildJvm.of(ConsumerChild.class)
            .args(
                host.uri(), bench.queue(), database.jdbcUrl(), database.user(), database.password())
            .failPoints(point.name())
            .start()) {
      child.awaitFailPoint(point.name());
      child.kill();
    }
    int committed = Effects.counted(database).size();
    assertThat(committed > 0).isEqualTo(point == Checkpoint.BEFORE_ACK);
    try (RabbitConsumer consumer = started(consumer(config, effects, effects.handler()).build())) {
      Await.until(
          "all settled",
          ConsumerBench.PATIENCE,
          () -> bench.handled.size() + bench.duplicates.size() == events.size());
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertEffectsOnceInOrder(events);
    assertThat(bench.duplicates).hasSize(committed);
  }

  @Test
  void f60TheSameMessageOnTwoConsumersAtOnceTakesEffectOnce() throws Exception {
    twoAtOnce(true);
  }

  @Test
  void f60IfTheFirstOfTwoRollsBackTheSecondHandlesTheMessage() throws Exception {
    twoAtOnce(false);
  }

  private void twoAtOnce(boolean firstSucceeds) throws Exception {
    EventEnvelope event = noted("a", 1);
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    EventHandler<Noted> slow =
        (noted, envelope) -> {
          effects.apply(noted, envelope);
          inHandler.countDown();
          mayEnd.await();
          if (!firstSucceeds) {
            throw new IllegalStateException("rolled back");
          }
        };
    CountDownLatch secondReceived = new CountDownLatch(1);
    try (TcpProxy proxy = TcpProxy.to(RabbitNode.shared().port());
        RabbitConsumer first =
            started(
                consumer(config, effects, slow).uri(URI.create(host.uri(proxy.port()))).build())) {
      bench.publish(event);
      ConsumerBench.await(inHandler);
      RabbitConsumer second =
          started(
              consumer(config, effects, effects.handler())
                  .checkpoints(
                      point -> {
                        if (point == Checkpoint.RECEIVED) {
                          secondReceived.countDown();
                        }
                      })
                  .build());
      try (second) {
        proxy.mode(TcpProxy.Mode.CUT);
        ConsumerBench.await(secondReceived);
        Await.until("the second waits in the inbox", ConsumerBench.PATIENCE, this::someoneWaits);
        mayEnd.countDown();
        Await.until(
            "settled",
            ConsumerBench.PATIENCE,
            () -> Effects.counted(database).size() == 1 && bench.ready(bench.queue()) == 0);
        Await.until(
            "the second is done",
            ConsumerBench.PATIENCE,
            () -> bench.duplicates.size() + bench.handled.size() == (firstSucceeds ? 2 : 1));
      }
      assertThat(first.state()).isNotEqualTo(State.STOPPED);
    }
    assertThat(Effects.counted(database)).isEqualTo(Map.of(event.id(), 1));
    assertThat(bench.parked).isEmpty();
  }

  private boolean someoneWaits() throws Exception {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where datname = current_database() and"
                    + " wait_event_type = 'Lock'")) {
      return rows.next() && rows.getInt(1) == 1;
    }
  }

  @Test
  void f63ADatabaseThatIsGonePausesConsumingAndParksNothing() throws Exception {
    List<EventEnvelope> events = events(60, 6);
    int port = URI.create(database.jdbcUrl().substring("jdbc:".length())).getPort();
    try (TcpProxy proxy = TcpProxy.to(port);
        Effects remote =
            new Effects(
                database.jdbcUrl().replace(":" + port + "/", ":" + proxy.port() + "/"),
                database.user(),
                database.password());
        RabbitConsumer consumer = started(consumer(config, remote, remote.handler()).build())) {
      bench.publish(events.subList(0, 20));
      bench.awaitHandled(20);
      proxy.mode(TcpProxy.Mode.CUT);
      bench.publish(events.subList(20, 60));
      awaitState(consumer, State.PAUSED);
      Await.until("told", ConsumerBench.PATIENCE, () -> bench.pauses.size() == 1);
      Await.until(
          "no more than the prefetch is held",
          ConsumerBench.PATIENCE,
          () -> bench.ready(config.queue()) == 20);
      proxy.mode(TcpProxy.Mode.PASS);
      Await.until("all handled", ConsumerBench.PATIENCE, () -> bench.handledIds().size() == 60);
      awaitState(consumer, State.CONSUMING);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertThat(bench.parked).isEmpty();
    assertThat(bench.duplicates).isEmpty();
    assertEffectsOnceInOrder(events);
  }

  @Test
  void aHandlerWhoseOtherDatabaseIsGoneIsParkedInTheEndAndPausesNobody() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    EventHandler<Noted> handler =
        (noted, envelope) -> {
          runs.incrementAndGet();
          throw new SQLTransientConnectionException("another database", "08001");
        };
    EventEnvelope event = noted("a", 1);
    ConsumerConfig quick =
        ConsumerChild.settings(bench.queue()).retry(bench.config().build().retry()).build();
    try (RabbitConsumer consumer = started(consumer(quick, effects, handler).build())) {
      bench.publish(event);
      bench.awaitParked(ParkReason.HANDLER_FAILED);
      assertThat(consumer.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(runs).as("ten free retries and three attempts").hasValue(13);
    assertThat(bench.pauses).isEmpty();
  }

  @Test
  void f62AHandlerThatHangsTakesEffectOnce() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    EventHandler<Noted> handler =
        (noted, envelope) -> {
          effects.apply(noted, envelope);
          if (runs.incrementAndGet() == 1) {
            never.await();
          }
        };
    EventEnvelope event = noted("a", 1);
    ConsumerConfig impatient =
        ConsumerChild.settings(bench.queue()).handlerTimeout(Duration.ofMillis(200)).build();
    try (RabbitConsumer consumer = started(consumer(impatient, effects, handler).build())) {
      bench.publish(event);
      bench.awaitHandled(event);
      assertThat(consumer.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(runs).hasValue(2);
    assertThat(Effects.counted(database)).isEqualTo(Map.of(event.id(), 1));
  }

  @Test
  void f64AfterAPurgeADuplicateIsParkedAndNotHandledAgain() throws Exception {
    EventEnvelope event =
        noted(UUID.randomUUID(), "a", 1, Instant.now().minus(Duration.ofDays(7)).plusSeconds(3));
    try (RabbitConsumer consumer = started(consumer(config, effects, effects.handler()).build())) {
      bench.publish(event);
      bench.awaitHandled(event);
      Await.until(
          "the window is over",
          ConsumerBench.PATIENCE,
          () -> event.occurredAt().isBefore(Instant.now().minus(config.window())));
      assertThat(effects.inbox().purge(Instant.now().plusSeconds(60))).isEqualTo(1);
      bench.publish(event);
      bench.awaitParked(ParkReason.TOO_OLD);
      assertThat(consumer.parked().list(10)).hasSize(1);
    }
    assertThat(Effects.counted(database)).isEqualTo(Map.of(event.id(), 1));
  }

  @Test
  void f65OrderHoldsWhenTheConnectionIsCutAgainAndAgain() throws Exception {
    List<EventEnvelope> events = events(300, 5);
    try (TcpProxy proxy = TcpProxy.to(RabbitNode.shared().port());
        RabbitConsumer consumer =
            started(
                consumer(config, effects, effects.handler())
                    .uri(URI.create(host.uri(proxy.port())))
                    .build())) {
      for (int part = 0; part < 3; part++) {
        bench.publish(events.subList(part * 100, part * 100 + 100));
        int enough = part * 100 + 30;
        Await.until(
            "some handled", ConsumerBench.PATIENCE, () -> bench.handledIds().size() >= enough);
        proxy.cut();
      }
      Await.until("all handled", ConsumerBench.PATIENCE, () -> bench.handledIds().size() == 300);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertEffectsOnceInOrder(events);
  }

  @Test
  void f67StoppingWith200PrefetchedLosesNothing() throws Exception {
    List<EventEnvelope> events = events(200, 10);
    bench.publish(events);
    ConsumerConfig wide = ConsumerChild.settings(bench.queue()).prefetch(200).build();
    try (RabbitConsumer consumer = started(consumer(wide, effects, effects.handler()).build())) {
      Await.until("some handled", ConsumerBench.PATIENCE, () -> bench.handled.size() >= 10);
      assertThat(consumer.state()).isEqualTo(State.CONSUMING);
    }
    assertThat(bench.handled).hasSizeLessThan(200);
    try (RabbitConsumer consumer = started(consumer(wide, effects, effects.handler()).build())) {
      Await.until("the rest", ConsumerBench.PATIENCE, () -> bench.handledIds().size() == 200);
      assertThat(consumer.parked().list(1)).isEmpty();
    }
    assertEffectsOnceInOrder(events);
    assertThat(bench.duplicates).as("a clean stop makes no duplicate").isEmpty();
  }

  private RabbitConsumer.Builder consumer(
      ConsumerConfig settings, Effects on, EventHandler<Noted> handler) {
    return bench.consumer(settings).inbox(on.unitOfWork(), on.inbox()).handle(Noted.class, handler);
  }

  private static List<EventEnvelope> events(int count, int aggregates) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(noted("a" + i % aggregates, i));
    }
    return events;
  }

  private void assertEffectsOnceInOrder(List<EventEnvelope> events) throws Exception {
    Map<UUID, Integer> once =
        events.stream().collect(Collectors.toMap(EventEnvelope::id, event -> 1));
    assertThat(Effects.counted(database)).isEqualTo(once);
    Effects.order(database)
        .forEach((aggregate, numbers) -> assertThat(numbers).as(aggregate).isSorted());
  }
}
