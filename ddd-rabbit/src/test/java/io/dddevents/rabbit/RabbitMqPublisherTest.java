// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Publications.outcomes;
import static io.dddevents.rabbit.Publications.placed;
import static io.dddevents.rabbit.Publications.publish;
import static io.dddevents.rabbit.Publications.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.RabbitNode;
import io.dddevents.testsupport.VirtualHost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class RabbitMqPublisherTest extends PublisherContract {

  private @Nullable VirtualHost host;

  @BeforeAll
  void newHost() {
    host = RabbitNode.shared().newVirtualHost();
  }

  @AfterAll
  void deleteHost() {
    host().close();
  }

  private VirtualHost host() {
    if (host == null) {
      throw new IllegalStateException("no virtual host yet");
    }
    return host;
  }

  @Override
  String uri(int port) {
    return host().uri(port);
  }

  @Override
  int port() {
    return RabbitNode.shared().port();
  }

  @Test
  void anEventThatAFullQueueRejectsIsNacked() throws Exception {
    RabbitPublisher publisher = start(config());
    String full = "{\"max-length\":10,\"overflow\":\"reject-publish\"}";
    host().setPolicy("full", "^" + queue + "$", full);
    Await.until(
        "the policy is in force",
        SOON,
        () -> outcomes(publish(publisher, placed(0, 20))).contains(Outcome.NACKED));
    assertThat(outcomes(publish(publisher, placed(0, 50)))).containsOnly(Outcome.NACKED);
    long inQueue = wire().channel.messageCount(queue);
    wire().channel.queuePurge(queue);
    assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
    assertThat(inQueue).isLessThanOrEqualTo(20);
    host().clearPolicy("full");
  }

  @Test
  void anExchangeThatDiffersIsReportedAndLeftAlone() throws Exception {
    String other = exchange + "-direct";
    wire().channel.exchangeDeclare(other, "direct", true);
    RabbitPublisher publisher = startUnconnected(config().exchange(other), port());
    Await.until("it is told", SOON, () -> publisher.state().cause().contains("406"));
    assertThat(publisher.state().cause()).contains(other, "'topic' but current is 'direct'");
    wire().channel.exchangeDeclare(other, "direct", true);
  }
}
