// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WebhookFailureListenerTest {

  private static final UUID ID = UUID.fromString("00000000-0000-7000-8000-000000000001");
  private static final FailedEvent EVENT = event("order.placed");

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> contentTypes = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private int status = 204;

  private static FailedEvent event(String type) {
    return new FailedEvent(ID, type, 7, 5, "NACKED", "relay-1", true, FailedEvent.Kept.TABLE);
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          contentTypes.add(exchange.getRequestHeaders().getFirst("Content-Type"));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.createContext(
        "/hang",
        exchange -> {
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    release.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private URI address(String path) {
    return URI.create("http://localhost:" + server.getAddress().getPort() + path + "?token=s3cret");
  }

  @Test
  void discordGetsItsContent() {
    WebhookFailureListener.discord(address("/hook")).onFailed(EVENT);
    assertThat(bodies)
        .containsExactly(
            "{\"content\":\"Event failed and needs an operator: event="
                + ID
                + " type=order.placed cause=NACKED attempt=5\"}");
    assertThat(contentTypes).containsExactly("application/json");
  }

  @Test
  void slackGetsItsText() {
    WebhookFailureListener.slack(address("/hook")).onFailed(EVENT);
    assertThat(bodies).singleElement().asString().startsWith("{\"text\":\"Event failed");
  }

  @Test
  void whatADamagedRowBringsIsMadePlain() {
    WebhookFailureListener.discord(address("/hook")).onFailed(event("@everyone \"}\n<http://x>"));
    assertThat(bodies).singleElement().asString().contains("type=?everyone?????http???x? cause");
  }

  @Test
  void anAnswerThatIsNotGoodIsAnErrorWithoutTheAddress() {
    status = 404;
    assertThatThrownBy(() -> WebhookFailureListener.discord(address("/hook")).onFailed(EVENT))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("404")
        .hasMessageNotContaining("localhost")
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }

  @Test
  void aServerThatHangsIsGivenUp() {
    WebhookFailureListener listener =
        WebhookFailureListener.discord(address("/hang")).withTimeout(Duration.ofMillis(300));
    long began = System.nanoTime();
    assertThatThrownBy(() -> listener.onFailed(EVENT))
        .isInstanceOf(OutboxException.class)
        .hasMessageNotContaining("s3cret");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aServerThatIsNotThereIsAnErrorWithoutTheAddress() {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    URI nobody = URI.create("http://localhost:" + port + "/s3cret");
    assertThatThrownBy(() -> WebhookFailureListener.slack(nobody).onFailed(EVENT))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("ConnectException")
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }

  @Test
  void theAddressIsNeverPrinted() {
    assertThat(WebhookFailureListener.discord(address("/hook")).toString())
        .doesNotContain("s3cret")
        .doesNotContain("localhost");
    assertThatThrownBy(() -> WebhookFailureListener.discord(URI.create("ftp://s3cret")))
        .hasMessageNotContaining("s3cret");
  }
}
