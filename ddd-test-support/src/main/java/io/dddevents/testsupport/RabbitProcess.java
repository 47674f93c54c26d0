// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Two nodes on one machine share more than ports: the port mapper (epmd) in which they find each
 * other by name, the cookie in the home folder, and the configuration in /etc. A private node gets
 * its own of each, and listens on 127.0.0.1 only; so it runs beside a node of the system, as root
 * and as anybody else, and cannot be mistaken for it.
 */
/** The processes of a private RabbitMQ node: the node and its own port mapper. */
final class RabbitProcess {
  private static final String PACKAGE = "rabbitmq-server";

  /** Where Debian keeps the programs behind its wrappers, which change user and folder. */
  private static final String DEBIAN = "/usr/lib/rabbitmq/bin";

  private static final byte[] AMQP_HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
  private static final int METHOD_FRAME = 1;

  private final int port = Os.freePort();
  private final int mapperPort = Os.freePort();
  private final Path server;
  private final Path ctl;
  private final Path mapper;
  private final Path home;
  private final Map<String, String> environment;
  private @Nullable ServerProcess mapperProcess;
  private @Nullable ServerProcess serverProcess;

  RabbitProcess(String user, String password) {
    server = program(PACKAGE);
    ctl = program("rabbitmqctl");
    mapper = program("epmd");
    home = Reaper.newFolder("mq");
    environment = environment(home, port, mapperPort);
    Os.write(
        home.resolve("rabbitmq.conf"),
        """
        listeners.tcp.1 = 127.0.0.1:%d
        default_user = %s
        default_pass = %s
        disk_free_limit.absolute = 50MB
        """
            .formatted(port, user, password));
    Os.write(home.resolve("advanced.config"), "[].\n");
    Os.write(home.resolve("env.conf"), "");
    Os.write(home.resolve("plugins"), "[].\n");
  }

  /** Adds a TLS listener that asks clients for a certificate; to be called before the start. */
  int addTls(Path ca, Path certificate, Path key) {
    int tlsPort = Os.freePort();
    Path file = home.resolve("rabbitmq.conf");
    String lines =
        """
        listeners.ssl.1 = 127.0.0.1:%d
        ssl_options.cacertfile = %s
        ssl_options.certfile = %s
        ssl_options.keyfile = %s
        ssl_options.verify = verify_peer
        ssl_options.fail_if_no_peer_cert = true
        """
            .formatted(tlsPort, ca, certificate, key);
    try {
      Os.write(file, Files.readString(file) + lines);
    } catch (IOException e) {
      throw new IllegalStateException("could not read " + file, e);
    }
    return tlsPort;
  }

  private static Path program(String name) {
    return RealServices.program(name, DEBIAN)
        .orElseThrow(() -> RealServices.missing("RabbitMQ (" + name + ")", PACKAGE));
  }

  private static Map<String, String> environment(Path home, int port, int mapperPort) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("HOME", home.toString());
    env.put("RABBITMQ_NODENAME", "ddd" + port + "@localhost");
    env.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    env.put("RABBITMQ_NODE_PORT", Integer.toString(port));
    env.put("RABBITMQ_DIST_PORT", Integer.toString(Os.freePort()));
    env.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
    env.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    env.put("RABBITMQ_MNESIA_BASE", Os.folder(home, "data").toString());
    env.put("RABBITMQ_LOG_BASE", Os.folder(home, "log").toString());
    env.put("RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString());
    env.put("RABBITMQ_ADVANCED_CONFIG_FILE", home.resolve("advanced.config").toString());
    env.put("RABBITMQ_CONF_ENV_FILE", home.resolve("env.conf").toString());
    env.put("RABBITMQ_ENABLED_PLUGINS_FILE", home.resolve("plugins").toString());
    env.put("RABBITMQ_GENERATED_CONFIG_DIR", Os.folder(home, "generated").toString());
    env.put("RABBITMQ_PID_FILE", home.resolve("pid").toString());
    env.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
        "-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}");
    return env;
  }

  int port() {
    return port;
  }

  boolean isRunning() {
    return serverProcess != null && serverProcess.isAlive();
  }

  void start() {
    if (isRunning()) {
      throw new IllegalStateException("RabbitMQ on port " + port + " runs already");
    }
    startMapper();
    try {
      // Else a signal could go to the process that had the number of the last node.
      Files.deleteIfExists(home.resolve("pid"));
    } catch (IOException e) {
      throw new IllegalStateException("could not delete the old pid file", e);
    }
    serverProcess = ServerProcess.start(PACKAGE, home, environment, List.of(server.toString()));
    serverProcess.awaitReady(Duration.ofMinutes(2), this::speaksAmqp);
  }

  private void startMapper() {
    if (mapperProcess != null && mapperProcess.isAlive()) {
      return;
    }
    List<String> command =
        List.of(mapper.toString(), "-port", mapperPort + "", "-address", "127.0.0.1");
    mapperProcess = ServerProcess.start("epmd", home, environment, command);
    mapperProcess.awaitReady(Duration.ofSeconds(10), () -> connects(mapperPort));
  }

  private static boolean connects(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    }
  }

  /** The node opens its listener last, so an answer in AMQP means that it is ready. */
  private boolean speaksAmqp() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(AMQP_HELLO);
      return socket.getInputStream().read() == METHOD_FRAME && Files.exists(home.resolve("pid"));
    }
  }

  /** Sends the signal to the Erlang machine itself, not to the shell that waits for it. */
  void signal(String name) {
    Os.signal(name, pid());
  }

  void signalAndAwaitExit(String name) {
    if (serverProcess != null && serverProcess.isAlive()) {
      signal(name);
      serverProcess.awaitExit();
    }
  }

  long pid() {
    try {
      Path file = home.resolve("pid");
      return Long.parseLong(Files.readString(file, StandardCharsets.US_ASCII).strip());
    } catch (IOException e) {
      throw new IllegalStateException("RabbitMQ on port " + port + " has not been started", e);
    }
  }

  String ctl(String... arguments) {
    List<String> command = new ArrayList<>(List.of(ctl.toString(), "-q"));
    command.addAll(List.of(arguments));
    return Os.run(home, environment, command);
  }

  /** Ends both processes the fast way and removes the data. */
  void delete() {
    signalAndAwaitExit("KILL");
    if (mapperProcess != null) {
      mapperProcess.signalAndAwaitExit("KILL");
    }
    Os.delete(home);
  }
}
