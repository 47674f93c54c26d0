// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.SocketConfigurators;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/*
 * The client closes a connection by writing to it, and a write may hang: a broker under an alarm
 * does not read, and a dead network takes bytes until the buffers are full. So the socket is kept
 * beside the connection; closing it frees every thread that hangs in it.
 */
/** One connection with its socket; recovery is off, so it never becomes another. */
final class Link {

  private static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};
  private static final int GOODBYE_MILLIS = 1_000;

  private final Connection connection;
  private final Socket socket;

  private Link(Connection connection, Socket socket) {
    this.connection = connection;
    this.socket = socket;
  }

  /**
   * Connects to one of the addresses.
   *
   * @param opening holds the socket as soon as there is one, so that others can end the attempt
   */
  static Link open(RabbitConnection settings, String name, AtomicReference<Socket> opening)
      throws IOException, TimeoutException {
    RabbitCredentials credentials = settings.currentCredentials();
    int timeout = (int) settings.connectTimeout().toMillis();
    ConnectionFactory factory = new ConnectionFactory();
    factory.useBlockingIo();
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setUsername(credentials.user());
    factory.setPassword(credentials.password());
    factory.setVirtualHost(settings.virtualHost());
    factory.setConnectionTimeout(timeout);
    factory.setHandshakeTimeout(timeout);
    factory.setChannelRpcTimeout(timeout);
    factory.setRequestedHeartbeat((int) settings.heartbeat().toSeconds());
    factory.setThreadFactory(daemons(name));
    factory.setExceptionHandler(new ShutdownTells());
    SocketConfigurator verifying = Link::requireTrust;
    factory.setSocketConfigurator(
        SocketConfigurators.defaultConfigurator().andThen(verifying).andThen(opening::set));
    settings
        .tls()
        .ifPresent(
            context -> {
              factory.useSslProtocol(context);
              factory.enableHostnameVerification();
            });
    List<Address> addresses =
        settings.nodes().stream().map(node -> new Address(node.host(), node.port())).toList();
    Connection connection = factory.newConnection(addresses, name);
    return new Link(connection, Objects.requireNonNull(opening.get(), "socket"));
  }

  private static void requireTrust(Socket socket) {
    if (socket instanceof SSLSocket tls) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setProtocols(TLS_VERSIONS);
      tls.setSSLParameters(parameters);
    }
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "ddd-rabbit-" + name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  Connection connection() {
    return connection;
  }

  /** Whether the broker calls itself RabbitMQ. */
  boolean isRabbit() {
    return String.valueOf(connection.getServerProperties().get("product")).equals("RabbitMQ");
  }

  /** Ends the connection without a word, at once, whatever hangs in it. */
  void cut() {
    cut(socket);
  }

  static void cut(@Nullable Socket socket) {
    if (socket == null) {
      return;
    }
    try {
      // Without this a TLS socket waits for the writer that hangs before it closes.
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already, or about to be: the next line.
    }
    try {
      socket.close();
    } catch (IOException e) {
      // It is as closed as it can be; nobody is left to tell.
    }
  }

  /**
   * Says goodbye to the broker on a thread of its own; {@link #cut} ends that thread if need be.
   */
  Thread goodbye(String name) {
    Thread thread =
        new Thread(() -> connection.abort(200, "goodbye", GOODBYE_MILLIS), "ddd-rabbit-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
