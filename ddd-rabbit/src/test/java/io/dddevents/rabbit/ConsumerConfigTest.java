// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.RetryPolicy;
import io.dddevents.rabbit.ConsumerConfig.QueueType;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConsumerConfigTest {

  @Test
  void theDefaultsAreTheDocumentedOnes() {
    ConsumerConfig config = ConsumerConfig.named("billing").build();
    assertThat(config.queue()).isEqualTo("billing");
    assertThat(config.parkingQueue()).isEqualTo("billing.parked");
    assertThat(config.exchange()).isEqualTo("domain.events");
    assertThat(config.queueType()).isEqualTo(QueueType.QUORUM);
    assertThat(config.singleActive()).isTrue();
    assertThat(config.declare()).isTrue();
    assertThat(config.hashRequired()).isTrue();
    assertThat(config.prefetch()).isEqualTo(50);
    assertThat(config.window()).isEqualTo(Duration.ofDays(7));
    assertThat(config.inboxRetention()).isEqualTo(Duration.ofDays(8));
    assertThat(config.handlerTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.retry())
        .isEqualTo(RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(5), 5));
  }

  @Test
  void anEventClassBindsItsWireName() {
    assertThat(ConsumerConfig.named("a").bind(Noted.class).build().bindings())
        .containsExactly("test.noted");
  }

  @Test
  void aWindowShorterThanTheRetriesIsRefusedWithBothValues() {
    assertThatThrownBy(() -> ConsumerConfig.named("a").window(Duration.ofSeconds(100)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window (PT1M40S)")
        .hasMessageContaining("retry");
  }

  @Test
  void retryingForEverIsRefused() {
    assertThatThrownBy(
            () -> ConsumerConfig.named("a").retry(RetryPolicy.defaults().forever()).build())
        .hasMessageContaining("attempts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "amq.x", "a b", "-a", "a\nb", "ä"})
  void aNameThatCouldNotTravelIsRefused(String name) {
    assertThatThrownBy(() -> ConsumerConfig.named(name).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a..b", ".a", "a.", "a*", "a b"})
  void aPatternThatNeverMatchesIsRefused(String pattern) {
    assertThatThrownBy(() -> ConsumerConfig.named("a").bind(pattern).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amqp://u:geheim@broker.example/x",
        "amqp://u:geheim@10.0.0.1",
        "http://localhost"
      })
  void aBrokerThatWouldSeePasswordsInPlainTextIsRefusedWithoutTellingThem(String uri) {
    assertThatThrownBy(() -> ConnectionSource.of(URI.create(uri), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("geheim");
  }

  @ParameterizedTest
  @ValueSource(strings = {"amqp://localhost", "amqp://127.0.0.1:5672/x", "amqps://broker.example"})
  void thisMachineAndTlsAreAllowed(String uri) {
    assertThatCode(() -> ConnectionSource.of(URI.create(uri), false)).doesNotThrowAnyException();
  }

  @Test
  void aConsumerWithoutItsPartsIsRefused() {
    ConsumerConfig config = ConsumerConfig.named("a").build();
    assertThatThrownBy(() -> RabbitConsumer.builder(config).build())
        .hasMessageContaining("no handler");
    assertThatThrownBy(
            () ->
                RabbitConsumer.builder(config)
                    .uri(URI.create("amqp://localhost"))
                    .handle(Noted.class, (e, envelope) -> {})
                    .build())
        .hasMessageContaining("call inbox(...)");
  }
}
