// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dddevents.RetryPolicy;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RabbitConnectionTest {

  private static final String SECRET = "s3cret-canary";

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"})
  void thisMachineNeedsNoTls(String host) {
    RabbitConnection.uri("amqp://guest:guest@" + host + "/").build().currentCredentials();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"broker", "10.0.0.1", "127.0.0.1.evil.example", "localhost.evil.example", "[::2]"})
  void otherMachinesNeedTlsOrAWord(String host) {
    RabbitConnection.Builder builder =
        RabbitConnection.uri("amqp://shop:" + SECRET + "@" + host + ":5672/");
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("allowPlaintext")
        .withMessageNotContaining(SECRET);
    assertThat(builder.allowPlaintext().build().toString()).doesNotContain(SECRET);
  }

  @Test
  void oneAddressOfSeveralIsEnoughToNeedTls() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RabbitConnection.builder()
                    .address("localhost", 5672)
                    .address("broker", 5672)
                    .credentials("shop", SECRET)
                    .build());
  }

  @Test
  void guestAndEmptyPasswordsStayAtHome() throws Exception {
    for (List<String> weak : List.of(List.of("guest", SECRET), List.of("shop", ""))) {
      RabbitConnection.Builder builder =
          RabbitConnection.builder()
              .address("broker", 5671)
              .tls(SSLContext.getDefault())
              .credentials(weak.get(0), weak.get(1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.build().currentCredentials())
          .withMessageContaining("allowDefaultUser");
      builder.allowDefaultUser().build().currentCredentials();
    }
  }

  @Test
  void aUriIsReadWhole() {
    RabbitConnection connection =
        RabbitConnection.uri("amqps://shop:p%40s+s@broker.example/my%2Fhost").build();
    assertThat(connection.tls()).isPresent();
    assertThat(connection.nodes())
        .containsExactly(new RabbitConnection.Node("broker.example", 5671));
    assertThat(connection.virtualHost()).isEqualTo("my/host");
    assertThat(connection.currentCredentials()).isEqualTo(new RabbitCredentials("shop", "p@s+s"));
    assertThat(connection.toString()).contains("broker.example:5671").doesNotContain("shop");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amqp://u:s3cret-canary@host name/",
        "http://u:s3cret-canary@localhost/",
        "amqp://u:s3cret-canary@/",
        "amqp://s3cret-canary@localhost/",
        "amqp://u:s3cret-canary%zz@localhost/",
        "u:s3cret-canary@localhost"
      })
  void aBadUriIsRefusedWithoutItsPassword(String uri) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RabbitConnection.uri(uri))
        .withMessageNotContaining(SECRET)
        .withNoCause();
  }

  @Test
  void aSupplierThatFailsTellsNoSecret() {
    RabbitConnection connection =
        RabbitConnection.builder()
            .address("localhost", 5672)
            .credentials(
                () -> {
                  throw new IllegalArgumentException(SECRET);
                })
            .build();
    assertThatIllegalStateException()
        .isThrownBy(connection::currentCredentials)
        .withMessageContaining("IllegalArgumentException")
        .withMessageNotContaining(SECRET)
        .withNoCause();
  }

  @Test
  void credentialsHideSecrets() {
    assertThat(new RabbitCredentials("shop", SECRET).toString()).doesNotContain(SECRET, "shop");
  }

  @Test
  void aConfigurationOutOfRangeDoesNotExist() {
    RabbitPublisherConfig.Builder builder = RabbitPublisherConfig.builder("shop");
    assertThat(RabbitPublisherConfig.defaults("shop").window()).isEqualTo(1000);
    assertThatIllegalArgumentException().isThrownBy(() -> RabbitPublisherConfig.defaults(" "));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.window(0).build());
    builder.window(1);
    assertThatIllegalArgumentException().isThrownBy(() -> builder.exchange("").build());
    assertThatIllegalArgumentException().isThrownBy(() -> builder.exchange("amq.topic").build());
    builder.exchange("x");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.confirmTimeout(Duration.ZERO).build());
    builder.confirmTimeout(Duration.ofSeconds(1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.maxBodyBytes(1 << 30).build());
    builder.maxBodyBytes(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.mayBeUnrouted("not a name").build());
  }

  @Test
  void aRoutingFunctionIsTriedAtOnce() {
    RabbitPublisherConfig.Builder builder =
        RabbitPublisherConfig.builder("shop")
            .reconnect(new RetryPolicy.Schedule(List.of(Duration.ofSeconds(1))));
    var samples = List.of(Publications.envelope("order.placed", new byte[1]));
    for (String bad : new String[] {"", "a..b", ".a", "a.", "a b", "a\nb", "a.*", "#", "a\ud800"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.routing(e -> bad, samples))
          .withMessageContaining("order.placed");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> builder.routing(e -> "ok", List.of()));
    builder.routing(e -> "shop." + e.type().name(), samples).build();
  }
}
