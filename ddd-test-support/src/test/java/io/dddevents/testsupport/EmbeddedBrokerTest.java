// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class EmbeddedBrokerTest {
  @Test
  void routesAndConfirmsAndHandsOut() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        Amqp amqp = new Amqp(broker.uri()).bind("pond", "frogs", "frog.#")) {
      assertThat(amqp.publish("pond", "frog.green")).isTrue();
      assertThat(amqp.channel.basicGet("frogs", true).getBody()).asString().isEqualTo("ribbit");
    }
  }

  @Test
  void refusesAWrongPassword() {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      assertThatThrownBy(() -> new Amqp(broker.uri().replace("ddd:ddd", "ddd:wrong")))
          .isInstanceOf(PossibleAuthenticationFailureException.class);
    }
  }

  @Test
  void twoRunSideBySideAndEndWithClose() throws Exception {
    String uri;
    try (EmbeddedBroker one = EmbeddedBroker.start();
        EmbeddedBroker two = EmbeddedBroker.start();
        Amqp onOne = new Amqp(one.uri()).bind("pond", "frogs", "#");
        Amqp onTwo = new Amqp(two.uri()).bind("pond", "frogs", "#")) {
      assertThat(one.port()).isNotEqualTo(two.port());
      assertThat(onOne.publish("pond", "frog")).isTrue();
      assertThat(onTwo.channel.messageCount("frogs")).isZero();
      uri = one.uri();
    }
    assertThatThrownBy(() -> new Amqp(uri)).isInstanceOf(ConnectException.class);
  }
}
