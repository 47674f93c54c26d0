// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static io.dddevents.rabbit.Publications.placed;
import static io.dddevents.rabbit.Publications.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.ExpectLog;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.LogGuard;
import io.dddevents.testsupport.RabbitNode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** On a node whose certificate is for {@code localhost} and which asks for ours. */
@ExtendWith({LogGuard.class, LeakGuard.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExpectLog(value = Level.WARN, logger = "RabbitPublisher", required = false)
@ExpectLog(value = Level.ERROR, logger = "SocketFrameHandler", required = false) // the client's
final class PublisherTlsTest {

  private static final Duration SOON = Duration.ofSeconds(15);

  private final RabbitNode node = new RabbitNode();
  private @Nullable Certificates made;
  private int port;

  @BeforeAll
  void startNode(@TempDir Path folder) throws Exception {
    Certificates certificates = new Certificates(folder);
    certificates.sign("server", "dns:localhost");
    certificates.sign("client", "dns:client");
    certificates.sign("expired", "dns:localhost", "-startdate", "-10d", "-validity", "5");
    made = certificates;
    port =
        node.addTls(
            certificates.certificate("ca"),
            certificates.certificate("server"),
            certificates.key("server"));
    node.start();
    try (Wire wire = new Wire(node.uri())) {
      wire.queue("domain.events", "orders", "#");
    }
  }

  @AfterAll
  void closeNode() {
    node.close();
  }

  private Certificates certificates() {
    return Objects.requireNonNull(made, "certificates");
  }

  private RabbitPublisher start(String host, int toPort, SSLContext tls) {
    return RabbitPublisher.start(
        RabbitConnection.builder()
            .address(host, toPort)
            .credentials(node.user(), node.password())
            .tls(tls)
            .build(),
        RabbitPublisherConfig.defaults("shop"));
  }

  private static void isRefused(RabbitPublisher publisher, String cause) {
    Await.until("it is told", SOON, () -> publisher.state().cause().startsWith("TLS: "));
    assertThat(publisher.state().cause()).containsIgnoringCase(cause);
    PublishResult refused = result(publisher.publish(placed(1)));
    assertThat(refused.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(refused.detail()).contains("TLS: ");
  }

  @Test
  void withTheRightHostAuthorityAndKeyEventsAreConfirmed() throws Exception {
    try (RabbitPublisher publisher =
        start("localhost", port, certificates().context(true, "client"))) {
      assertThat(publisher.awaitConnected(SOON)).isTrue();
      assertThat(result(publisher.publish(placed(1)))).isEqualTo(PublishResult.confirmed());
    }
  }

  @Test
  void aCertificateForAnotherHostIsRefused() throws Exception {
    try (RabbitPublisher publisher =
        start("127.0.0.1", port, certificates().context(true, "client"))) {
      isRefused(publisher, "subject alternative names");
    }
  }

  @Test
  void aCertificateOfAnUnknownAuthorityIsRefused() throws Exception {
    try (RabbitPublisher publisher =
        start("localhost", port, certificates().context(false, "client"))) {
      isRefused(publisher, "PKIX");
    }
  }

  @Test
  void withoutAKeyTheBrokerRefusesUs() throws Exception {
    try (RabbitPublisher publisher = start("localhost", port, certificates().context(true, null))) {
      Await.until("it is told", SOON, () -> !publisher.state().cause().equals("not connected yet"));
      assertThat(publisher.awaitConnected(Duration.ZERO)).isFalse();
    }
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    SSLContext context = certificates().context(true, "expired");
    try (SSLServerSocket server =
            (SSLServerSocket)
                context
                    .getServerSocketFactory()
                    .createServerSocket(0, 5, InetAddress.getByName("localhost"));
        RabbitPublisher publisher =
            start("localhost", server.getLocalPort(), certificates().context(true, "client"))) {
      Thread acceptor = new Thread(() -> shakeHands(server), "tls-server");
      acceptor.setDaemon(true);
      acceptor.start();
      isRefused(publisher, "validity");
    }
  }

  private static void shakeHands(SSLServerSocket server) {
    while (!server.isClosed()) {
      try (SSLSocket socket = (SSLSocket) server.accept()) {
        socket.startHandshake();
      } catch (IOException e) {
        // What the client thinks of us is what the test is about.
      }
    }
  }
}
