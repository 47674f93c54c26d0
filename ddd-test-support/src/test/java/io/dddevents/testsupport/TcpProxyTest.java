// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.testsupport.TcpProxy.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({LogGuard.class, LeakGuard.class})
final class TcpProxyTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int SHORT_MILLIS = 100;

  private final ServerSocket listener;
  private final TcpProxy proxy;
  private Socket client = new Socket();
  private Socket server = new Socket();

  TcpProxyTest() throws IOException {
    listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    proxy = TcpProxy.to(listener.getLocalPort());
  }

  @BeforeEach
  void connect() throws IOException {
    client = newClient();
    server = listener.accept();
    server.setSoTimeout((int) SOON.toMillis());
  }

  private Socket newClient() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout((int) SOON.toMillis());
    return socket;
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
    proxy.close();
    listener.close();
  }

  @Test
  void passForwardsBothWaysAndCounts() throws IOException {
    send(client, 1, 2, 3);
    receives(server, 1, 2, 3);
    send(server, 4);
    receives(client, 4);
    assertThat(proxy.connections()).isEqualTo(1);
    Await.until("bytes are counted", SOON, () -> proxy.bytesToServer() == 3);
    Await.until("bytes are counted", SOON, () -> proxy.bytesToClient() == 1);
  }

  @Test
  void passForwardsAnOrderlyEnd() throws IOException {
    client.close();
    assertThat(server.getInputStream().read()).isEqualTo(-1);
    server.close();
    Await.until("the connection is forgotten", SOON, () -> proxy.connections() == 0);
  }

  @Test
  void cutOnceResetsBothSidesAndServesTheNext() throws IOException {
    proxy.cut();
    isReset(client);
    isReset(server);
    assertThat(proxy.connections()).isZero();
    try (Socket next = newClient();
        Socket nextServer = listener.accept()) {
      send(next, 7);
      receives(nextServer, 7);
    }
  }

  @Test
  void modeCutResetsNewConnectionsTooUntilPass() throws IOException {
    proxy.mode(Mode.CUT);
    isReset(client);
    try (Socket refused = newClient()) {
      isReset(refused);
    }
    proxy.mode(Mode.PASS);
    try (Socket next = newClient();
        Socket nextServer = listener.accept()) {
      send(next, 7);
      receives(nextServer, 7);
    }
  }

  @Test
  void aBlackHoleToTheServerSwallowsThatDirectionOnly() throws IOException {
    proxy.mode(Mode.BLACK_HOLE_TO_SERVER);
    send(client, 1, 2);
    receivesNothing(server);
    send(server, 3);
    receives(client, 3);
    proxy.mode(Mode.PASS);
    send(client, 4);
    receives(server, 4);
  }

  @Test
  void aBlackHoleToTheClientSwallowsThatDirectionOnly() throws IOException {
    proxy.mode(Mode.BLACK_HOLE_TO_CLIENT);
    send(server, 1, 2);
    receivesNothing(client);
    send(client, 3);
    receives(server, 3);
    proxy.mode(Mode.PASS);
    send(server, 4);
    receives(client, 4);
  }

  @Test
  void aBlackHoleSwallowsTheEndOfTheClientToo() throws IOException {
    proxy.mode(Mode.BLACK_HOLE_TO_SERVER);
    client.close();
    receivesNothing(server);
    send(server, 1);
    receivesNothing(server);
    proxy.mode(Mode.PASS);
    assertThatThrownBy(
            () -> {
              if (server.getInputStream().read() == -1) {
                throw new SocketException("end of stream");
              }
            })
        .isInstanceOf(SocketException.class);
  }

  @Test
  void holdKeepsBothDirectionsAndReleasesThemInOrder() throws IOException {
    proxy.mode(Mode.HOLD);
    send(client, 1);
    send(client, 2);
    send(server, 8);
    receivesNothing(server);
    receivesNothing(client);
    send(client, 3);
    proxy.mode(Mode.PASS);
    receives(server, 1, 2, 3);
    receives(client, 8);
  }

  @Test
  void holdOfOneDirectionLetsTheOtherPass() throws IOException {
    proxy.mode(Mode.HOLD_TO_CLIENT);
    send(server, 1);
    receivesNothing(client);
    send(client, 2);
    receives(server, 2);
    proxy.mode(Mode.HOLD_TO_SERVER);
    receives(client, 1);
    send(client, 3);
    receivesNothing(server);
    proxy.mode(Mode.PASS);
    receives(server, 3);
  }

  @Test
  void throttleTakesItsTime() throws IOException {
    proxy.throttle(2_000);
    long begin = System.nanoTime();
    client.getOutputStream().write(new byte[1_000]);
    assertThat(server.getInputStream().readNBytes(1_000)).hasSize(1_000);
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isBetween(Duration.ofMillis(300), Duration.ofSeconds(4));
  }

  @Test
  void aServerThatIsDownIsAReset() throws IOException {
    listener.close();
    try (Socket next = newClient()) {
      isReset(next);
    }
  }

  private static void send(Socket socket, int... bytes) throws IOException {
    for (int b : bytes) {
      socket.getOutputStream().write(b);
    }
  }

  private static void receives(Socket socket, int... bytes) throws IOException {
    for (int b : bytes) {
      assertThat(socket.getInputStream().read()).isEqualTo(b);
    }
  }

  private static void receivesNothing(Socket socket) throws IOException {
    socket.setSoTimeout(SHORT_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout((int) SOON.toMillis());
  }

  private static void isReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
  }
}
