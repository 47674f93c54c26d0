// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Publications.PLACED;
import static io.dddevents.rabbit.Publications.event;
import static io.dddevents.rabbit.Publications.outcomes;
import static io.dddevents.rabbit.Publications.placed;
import static io.dddevents.rabbit.Publications.publish;
import static io.dddevents.rabbit.Publications.result;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.rabbit.PublisherState.Status;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.RabbitNode;
import io.dddevents.testsupport.TcpProxy;
import io.dddevents.testsupport.TcpProxy.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Faults of broker and network, on a private node behind a proxy. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExpectLog(value = Level.WARN, logger = "RabbitPublisher", required = false)
final class PublisherFaultTest {

  private static final Duration SOON = Duration.ofSeconds(15);

  private final RabbitNode node = new RabbitNode();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicReference<RabbitCredentials> credentials = new AtomicReference<>();
  private int count;
  private String exchange = "";
  private String queue = "";

  @BeforeAll
  void startNode() {
    node.start();
  }

  @AfterAll
  void closeNode() {
    node.close();
  }

  @BeforeEach
  void bind() throws Exception {
    exchange = "events-" + ++count;
    queue = "orders-" + count;
    credentials.set(new RabbitCredentials(node.user(), node.password()));
    bindQueue();
  }

  private void bindQueue() throws Exception {
    try (Wire wire = new Wire(node.uri())) {
      wire.queue(exchange, queue, "order.#");
    }
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    open.clear();
  }

  private RabbitPublisherConfig.Builder config() {
    return RabbitPublisherConfig.builder("shop")
        .exchange(exchange)
        .closeTimeout(Duration.ofMillis(200));
  }

  private RabbitPublisher start(RabbitPublisherConfig.Builder config, int port) throws Exception {
    RabbitConnection connection =
        RabbitConnection.builder().address("127.0.0.1", port).credentials(credentials::get).build();
    RabbitPublisher publisher = RabbitPublisher.start(connection, config.build());
    open.add(publisher);
    assertThat(publisher.awaitConnected(SOON)).isTrue();
    return publisher;
  }

  private TcpProxy proxy() {
    TcpProxy proxy = TcpProxy.to(node.port());
    open.add(proxy);
    return proxy;
  }

  private Set<String> idsInQueue() throws Exception {
    try (Wire wire = new Wire(node.uri())) {
      return new HashSet<>(wire.ids(queue));
    }
  }

  private static void awaitStatus(RabbitPublisher publisher, Status status) {
    Await.until("it is " + status, SOON, () -> publisher.state().status() == status);
  }

  private static void confirmsAgain(RabbitPublisher publisher, Duration within) {
    Await.until(
        "events are confirmed again",
        within,
        () -> result(publisher.publish(placed(1))).outcome() == Outcome.CONFIRMED);
  }

  /** Ids of the events whose outcome is the given one. */
  private static Set<String> ids(
      List<Publication> sent, List<CompletableFuture<PublishResult>> futures, Outcome outcome) {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < sent.size(); i++) {
      if (result(futures.get(i)).outcome() == outcome) {
        ids.add(sent.get(i).envelope().id().toString());
      }
    }
    return ids;
  }

  @Test
  void killingTheBrokerMakesAllUnconfirmedUnknownAndNothingConfirmedIsLost() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher = start(config(), proxy.port());
    List<Publication> first = placed(0, 500);
    List<CompletableFuture<PublishResult>> firstResults = publish(publisher, first);
    assertThat(outcomes(firstResults)).containsOnly(Outcome.CONFIRMED);
    proxy.mode(Mode.HOLD_TO_CLIENT);
    List<Publication> second = placed(500, 500);
    List<CompletableFuture<PublishResult>> secondResults = publish(publisher, second);
    node.kill();
    proxy.mode(Mode.CUT);
    assertThat(outcomes(secondResults)).hasSize(500).containsOnly(Outcome.UNKNOWN);
    node.start();
    Set<String> inQueue = idsInQueue();
    assertThat(inQueue).containsAll(ids(first, firstResults, Outcome.CONFIRMED));
    proxy.mode(Mode.PASS);
    List<CompletableFuture<PublishResult>> again = new ArrayList<>();
    confirmsAgain(publisher, Duration.ofSeconds(5));
    again.addAll(publish(publisher, second));
    assertThat(outcomes(again)).containsOnly(Outcome.CONFIRMED);
    assertThat(idsInQueue()).containsAll(ids(second, again, Outcome.CONFIRMED));
  }

  @Test
  void killingTheBrokerInFullFlowConfirmsNothingThatIsNotThereAfterwards() throws Exception {
    RabbitPublisher publisher = start(config().window(500), node.port());
    List<Publication> sent = placed(0, 30_000);
    CompletableFuture<List<CompletableFuture<PublishResult>>> flow =
        CompletableFuture.supplyAsync(() -> publish(publisher, sent));
    try (Wire wire = new Wire(node.uri())) {
      Await.until("it flows", SOON, () -> wire.channel.messageCount(queue) > 1_000);
    }
    node.kill();
    List<CompletableFuture<PublishResult>> futures = flow.join();
    Set<String> confirmed = ids(sent, futures, Outcome.CONFIRMED);
    Set<String> unknown = ids(sent, futures, Outcome.UNKNOWN);
    assertThat(confirmed).isNotEmpty();
    assertThat(unknown).isNotEmpty();
    assertThat(confirmed.size() + unknown.size()).isEqualTo(sent.size());
    node.start();
    Set<String> lost = new HashSet<>(confirmed);
    lost.removeAll(idsInQueue());
    assertThat(lost).isEmpty();
  }

  @Test
  void flowResumesSoonAfterAGracefulRestart() throws Exception {
    RabbitPublisher publisher = start(config(), node.port());
    assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
    node.stop();
    PublishResult down = result(publisher.publish(placed(2)));
    assertThat(down.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(down.detail()).isNotBlank();
    node.start();
    confirmsAgain(publisher, Duration.ofSeconds(5));
    assertThat(publisher.state().status()).isEqualTo(Status.CONNECTED);
  }

  @Test
  void aCutInTheMiddleLosesNothingThatWasConfirmed() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher = start(config(), proxy.port());
    List<Publication> sent = placed(0, 20_000);
    CompletableFuture<List<CompletableFuture<PublishResult>>> flow =
        CompletableFuture.supplyAsync(() -> publish(publisher, sent));
    Await.until("it flows", SOON, () -> proxy.bytesToServer() > 1_000_000);
    proxy.cut();
    List<CompletableFuture<PublishResult>> futures = flow.join();
    assertThat(outcomes(futures)).containsOnly(Outcome.CONFIRMED, Outcome.UNKNOWN);
    assertThat(idsInQueue()).containsAll(ids(sent, futures, Outcome.CONFIRMED));
    confirmsAgain(publisher, Duration.ofSeconds(5));
  }

  @Test
  void aHalfOpenConnectionIsGivenUpAfterTheConfirmTimeout() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher =
        start(config().confirmTimeout(Duration.ofMillis(500)), proxy.port());
    proxy.mode(Mode.BLACK_HOLE_TO_CLIENT);
    List<CompletableFuture<PublishResult>> futures = publish(publisher, placed(0, 100));
    assertThat(outcomes(futures)).containsOnly(Outcome.UNKNOWN);
    assertThat(result(futures.get(0)).detail()).isEqualTo("no confirm within PT0.5S");
    proxy.mode(Mode.PASS);
    confirmsAgain(publisher, Duration.ofSeconds(10));
  }

  @Test
  void confirmsThatComeTooLateAreIgnored() throws Exception {
    TcpProxy proxy = proxy();
    RabbitPublisher publisher =
        start(config().confirmTimeout(Duration.ofMillis(500)), proxy.port());
    proxy.mode(Mode.HOLD_TO_CLIENT);
    List<CompletableFuture<PublishResult>> late = publish(publisher, placed(0, 100));
    assertThat(outcomes(late)).containsOnly(Outcome.UNKNOWN);
    proxy.mode(Mode.PASS);
    confirmsAgain(publisher, Duration.ofSeconds(10));
    // The first numbers of the new channel are those of the confirms that were held.
    assertThat(result(publisher.publish(event("nobody.listens", 1, new byte[] {1}, "r"))).outcome())
        .isEqualTo(Outcome.UNROUTABLE);
    assertThat(outcomes(late)).containsOnly(Outcome.UNKNOWN);
  }

  @Test
  void anAlarmMakesPublishingUnknownQuicklyAndEndsByItself() throws Exception {
    RabbitPublisher publisher = start(config().confirmTimeout(Duration.ofSeconds(1)), node.port());
    node.memoryAlarm(true);
    CompletableFuture<PublishResult> first = publisher.publish(placed(1));
    awaitStatus(publisher, Status.BLOCKED);
    assertThat(publisher.state().cause()).contains("blocked by the broker", "memory");
    long begin = System.nanoTime();
    assertThat(result(publisher.publish(placed(2))))
        .isEqualTo(new PublishResult(Outcome.UNKNOWN, "blocked by the broker"));
    assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(1).toNanos());
    assertThat(result(first).outcome()).isEqualTo(Outcome.UNKNOWN);
    node.memoryAlarm(false);
    awaitStatus(publisher, Status.CONNECTED);
    assertThat(result(publisher.publish(placed(3)))).isEqualTo(PublishResult.confirmed());
    assertThat(idsInQueue()).hasSizeBetween(1, 2);
  }

  @Test
  void aWriteThatHangsUnderAnAlarmIsFreed() throws Exception {
    RabbitPublisher publisher = start(config(), node.port());
    node.memoryAlarm(true);
    long begin = System.nanoTime();
    List<CompletableFuture<PublishResult>> futures = new ArrayList<>();
    byte[] large = new byte[1_000_000];
    for (int i = 0; i < 60; i++) {
      futures.add(publisher.publish(event(PLACED, i, large, "r")));
    }
    // Sixty megabytes do not fit into the buffers, and a confirm timeout is ten seconds.
    assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(8).toNanos());
    node.memoryAlarm(false);
    confirmsAgain(publisher, SOON);
    assertThat(outcomes(futures)).contains(Outcome.UNKNOWN);
  }

  @Test
  void aDeletedExchangeIsAnOutageUntilItIsBack() throws Exception {
    RabbitPublisher publisher = start(config().topology(RabbitTopology.NONE), node.port());
    assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
    node.deleteExchange(exchange);
    List<CompletableFuture<PublishResult>> futures = publish(publisher, placed(0, 20));
    assertThat(outcomes(futures)).containsOnly(Outcome.UNKNOWN);
    assertThat(result(futures.get(0)).detail()).contains("404", exchange);
    bindQueue();
    confirmsAgain(publisher, SOON);
  }

  @Test
  void aDeletedBindingMakesEventsUnroutable() throws Exception {
    RabbitPublisher publisher = start(config(), node.port());
    assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
    node.deleteBinding(exchange, queue, "order.#");
    assertThat(outcomes(publish(publisher, placed(0, 20)))).containsOnly(Outcome.UNROUTABLE);
    bindQueue();
    assertThat(outcomes(publish(publisher, placed(0, 20)))).containsOnly(Outcome.CONFIRMED);
  }

  @Test
  void aChangedPasswordIsAnOutageUntilTheSupplierKnowsItAndNoSecretIsTold() throws Exception {
    ListAppender<ILoggingEvent> logs = new ListAppender<>();
    logs.start();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(logs);
    String canary = "canary-8f3a";
    String old = node.password();
    TcpProxy proxy = proxy();
    try {
      node.changePassword(canary + "-old");
      credentials.set(new RabbitCredentials(node.user(), canary + "-old"));
      RabbitPublisher publisher = start(config(), proxy.port());
      node.changePassword(canary + "-new");
      proxy.cut();
      Await.until("it is told", SOON, () -> publisher.state().cause().contains("ACCESS_REFUSED"));
      PublishResult refused = result(publisher.publish(placed(1)));
      assertThat(refused.outcome()).isEqualTo(Outcome.UNKNOWN);
      assertThat(refused.detail()).contains("ACCESS_REFUSED").doesNotContain(canary);
      credentials.set(new RabbitCredentials(node.user(), canary + "-new"));
      confirmsAgain(publisher, SOON);
      assertThat(publisher.state().toString()).doesNotContain(canary);
    } finally {
      root.detachAppender(logs);
      node.changePassword(old);
    }
    assertThat(logs.list).isNotEmpty();
    assertThat(logs.list)
        .allSatisfy(
            line -> {
              assertThat(line.getFormattedMessage()).doesNotContain(canary);
              assertThat(String.valueOf(line.getThrowableProxy())).doesNotContain(canary);
            });
  }

  @Test
  void stateChangesAreLoggedOnce() throws Exception {
    ListAppender<ILoggingEvent> logs = new ListAppender<>();
    logs.start();
    Logger ours = (Logger) LoggerFactory.getLogger(RabbitPublisher.class);
    TcpProxy proxy = proxy();
    RabbitPublisher publisher = start(config(), proxy.port());
    ours.addAppender(logs);
    ours.setLevel(ch.qos.logback.classic.Level.INFO);
    try {
      proxy.mode(Mode.CUT);
      awaitStatus(publisher, Status.CONNECTING);
      publish(publisher, placed(0, 100));
      Await.until("a while", SOON, () -> publisher.state().cause().contains("lost"));
      proxy.mode(Mode.PASS);
      awaitStatus(publisher, Status.CONNECTED);
      // The state is set before the line is written.
      Await.until("both changes are told", SOON, () -> logs.list.size() >= 2);
    } finally {
      ours.detachAppender(logs);
      ours.setLevel(null);
    }
    assertThat(logs.list).hasSizeBetween(2, 4);
  }
}
