// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * An AMQP 0-9-1 broker (Apache Qpid Broker-J) in this JVM, on a free port of 127.0.0.1, for the
 * example and for quick tests that need nothing installed.
 *
 * <p>It is not RabbitMQ: an unroutable mandatory message is nacked, RabbitMQ's queue arguments are
 * refused, there is no {@code connection.blocked}. So no guarantee is proven on it.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private final Path folder;
  private final SystemLauncher launcher;
  private final int port;
  private boolean closed;

  private EmbeddedBroker(Path folder, SystemLauncher launcher, int port) {
    this.folder = folder;
    this.launcher = launcher;
    this.port = port;
  }

  /** Starts a broker that holds its messages in memory. */
  public static EmbeddedBroker start() {
    quieten();
    URL config =
        Objects.requireNonNull(
            EmbeddedBroker.class.getResource("embedded-broker.json"), "embedded-broker.json");
    PortListener listener = new PortListener();
    SystemLauncher launcher = new SystemLauncher(listener);
    try {
      Path folder = Files.createTempDirectory("ddd-broker-");
      launcher.startup(
          Map.of(
              SystemConfig.TYPE,
              "Memory",
              SystemConfig.INITIAL_CONFIGURATION_LOCATION,
              config.toString(),
              SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT,
              false,
              SystemConfig.CONTEXT,
              Map.of(SystemConfig.QPID_WORK_DIR, folder.toString())));
      EmbeddedBroker broker = new EmbeddedBroker(folder, launcher, listener.port());
      OpenThings.add(broker, "EmbeddedBroker on port " + broker.port, () -> !broker.isClosed());
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker did not start", e);
    }
  }

  /** Qpid tells each connection and channel at INFO; that is not what a test is read for. */
  private static void quieten() {
    for (String name : new String[] {"qpid", "org.apache.qpid"}) {
      if (LoggerFactory.getLogger(name) instanceof Logger logger) {
        logger.setLevel(Level.WARN);
      }
    }
  }

  /** The AMQP URI with credentials. */
  public String uri() {
    return uri(port);
  }

  /** The same over another port of 127.0.0.1: that of a {@link TcpProxy}. */
  public String uri(int otherPort) {
    return "amqp://ddd:ddd@127.0.0.1:" + otherPort + "/default";
  }

  /** The AMQP port. */
  public int port() {
    return port;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Stops the broker; its messages are gone. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      launcher.shutdown();
      Os.delete(folder);
    }
  }

  /** Learns the port that the system chose, so that no other process can take it in between. */
  private static final class PortListener extends DefaultSystemLauncherListener {
    private @Nullable SystemConfig<?> system;

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
      system = systemConfig;
    }

    int port() {
      if (system != null && system.getContainer() instanceof Broker<?> broker) {
        return broker.getPorts().stream().mapToInt(Port::getBoundPort).findFirst().orElseThrow();
      }
      throw new IllegalStateException("the embedded broker has no container");
    }
  }
}
