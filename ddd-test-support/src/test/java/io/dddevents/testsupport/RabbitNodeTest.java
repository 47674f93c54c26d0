// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a private node, because most of the verbs would disturb others. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExpectLog(value = org.slf4j.event.Level.WARN, logger = "com.rabbitmq.client", required = false)
final class RabbitNodeTest {
  private static final Duration SOON = Duration.ofSeconds(15);

  private final RabbitNode node = new RabbitNode();

  @BeforeAll
  void start() {
    node.start();
  }

  @AfterAll
  void close() {
    node.close();
  }

  @Test
  void keepsItsMessagesOverKillStopAndRestart() throws Exception {
    int port = node.port();
    assertThat(port).isNotEqualTo(5672);
    Amqp amqp = new Amqp(node.uri()).bind("keep", "keep", "#");
    assertThat(amqp.publish("keep", "k")).isTrue();
    node.kill();
    assertThat(node.isRunning()).isFalse();
    Await.until("the client notices", SOON, () -> !amqp.connection.isOpen());
    assertThatThrownBy(() -> new Amqp(node.uri())).isInstanceOf(java.io.IOException.class);
    node.start();
    assertThat(node.port()).isEqualTo(port);
    assertThat(node.queues()).containsEntry("keep", 1L);
    long before = node.pid();
    node.restart();
    assertThat(node.pid()).isNotEqualTo(before);
    assertThat(node.queues()).containsEntry("keep", 1L);
    node.deleteQueue("keep");
    assertThat(node.queues()).doesNotContainKey("keep");
  }

  @Test
  void aFrozenNodeAnswersAfterItIsThawed() throws Exception {
    try (Amqp amqp = new Amqp(node.uri()).bind("cold", "cold", "#")) {
      node.freeze();
      assertThat(node.isRunning()).isTrue();
      amqp.channel.basicPublish("cold", "k", null, new byte[1]);
      assertThatThrownBy(() -> amqp.channel.waitForConfirms(300))
          .isInstanceOf(TimeoutException.class);
      node.thaw();
      assertThat(amqp.channel.waitForConfirms(10_000)).isTrue();
    }
  }

  @Test
  void anAlarmBlocksPublishersUntilItIsCleared() throws Exception {
    try (Amqp amqp = new Amqp(node.uri()).bind("alarm", "alarm", "#")) {
      CountDownLatch blocked = new CountDownLatch(2);
      CountDownLatch unblocked = new CountDownLatch(2);
      amqp.connection.addBlockedListener(reason -> blocked.countDown(), unblocked::countDown);
      node.memoryAlarm(true);
      assertThat(node.ctl("eval", "rabbit_alarm:get_alarms().")).contains("memory");
      amqp.channel.basicPublish("alarm", "k", null, new byte[1]);
      node.memoryAlarm(false);
      assertThat(amqp.channel.waitForConfirms(10_000)).isTrue();
      node.diskAlarm(true);
      amqp.channel.basicPublish("alarm", "k", null, new byte[1]);
      assertThat(blocked.await(15, TimeUnit.SECONDS)).isTrue();
      node.diskAlarm(false);
      assertThat(unblocked.await(15, TimeUnit.SECONDS)).isTrue();
      assertThat(amqp.channel.waitForConfirms(10_000)).isTrue();
    }
  }

  @Test
  void bindingsAndExchangesCanBeTakenAway() throws Exception {
    try (Amqp amqp = new Amqp(node.uri()).bind("pond", "frogs", "frog.#")) {
      node.deleteBinding("pond", "frogs", "frog.#");
      assertThat(amqp.publish("pond", "frog.green")).isTrue();
      assertThat(amqp.channel.messageCount("frogs")).isZero();
      node.deleteExchange("pond");
      assertThatThrownBy(() -> amqp.publish("pond", "frog.green"))
          .isInstanceOf(ShutdownSignalException.class)
          .hasMessageContaining("404");
    }
  }

  @Test
  void aPolicyMakesTheBrokerRefuse() throws Exception {
    try (Amqp amqp = new Amqp(node.uri()).bind("full", "full", "#")) {
      node.setPolicy("small", "^full$", "{\"max-length\":1,\"overflow\":\"reject-publish\"}");
      Await.until("a publish is refused", SOON, () -> !amqp.publish("full", "k"));
      node.clearPolicy("small");
      Await.until("a publish is accepted", SOON, () -> amqp.publish("full", "k"));
    }
  }

  @Test
  void aChangedPasswordLocksOldUrisOut() throws Exception {
    String old = node.uri();
    String oldPassword = node.password();
    node.changePassword("p/w@2");
    assertThatThrownBy(() -> new Amqp(old)).isInstanceOf(AuthenticationFailureException.class);
    try (Amqp amqp = new Amqp(node.uri())) {
      assertThat(amqp.connection.isOpen()).isTrue();
    }
    node.changePassword(oldPassword);
  }

  @Test
  void virtualHostsAreApartFromEachOther() throws Exception {
    String uri;
    try (VirtualHost one = node.newVirtualHost();
        VirtualHost two = node.newVirtualHost();
        Amqp onOne = new Amqp(one.uri()).bind("pond", "frogs", "#");
        TcpProxy proxy = TcpProxy.to(node.port());
        Amqp onTwo = new Amqp(two.uri(proxy.port())).bind("pond", "toads", "#")) {
      assertThat(onOne.publish("pond", "k")).isTrue();
      assertThat(onTwo.publish("pond", "k")).isTrue();
      assertThat(proxy.bytesToServer()).isPositive();
      assertThat(one.queues()).containsOnlyKeys("frogs").containsEntry("frogs", 1L);
      assertThat(two.queues()).containsOnlyKeys("toads");
      uri = one.uri();
    }
    assertThatThrownBy(() -> new Amqp(uri)).isInstanceOf(java.io.IOException.class);
  }
}
