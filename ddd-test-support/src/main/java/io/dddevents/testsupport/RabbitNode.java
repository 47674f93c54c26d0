// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A real RabbitMQ node: {@link #shared} for most tests, a new one for tests that break it.
 *
 * <p>{@code shared()} takes the node of {@code DDD_TEST_RABBITMQ_URI} if that is set; else it
 * starts a private node from the installed {@code rabbitmq-server}; else the test is skipped.
 * Docker is not in this list, because no engine was there to prove that it works. A node that we
 * did not start serves AMQP only: what needs {@link #ctl} or its process skips the test there.
 *
 * <p>The methods about queues and exchanges speak of the default virtual host. Not safe for many
 * threads; connections to it are.
 */
public final class RabbitNode implements AutoCloseable {
  private static final String URI_SETTING = "DDD_TEST_RABBITMQ_URI";
  private static final long NORMAL_DISK_LIMIT = 50_000_000L;

  /** More than any disk has; RabbitMQ does not know the unit for it. */
  private static final long HUGE_DISK_LIMIT = 1_000_000_000_000_000L;

  private static @Nullable RabbitNode shared;

  private final @Nullable RabbitProcess process;
  private final String host;
  private final int port;
  private final String user;
  private final VirtualHost defaultHost;
  private String password;

  /** A private node that is not started yet. Skips the test if RabbitMQ is not installed. */
  public RabbitNode() {
    user = "ddd";
    password = "ddd";
    host = "127.0.0.1";
    process = new RabbitProcess(user, password);
    port = process.port();
    defaultHost = new VirtualHost(this, "/");
  }

  private RabbitNode(URI uri) {
    String[] credentials = uri.getRawUserInfo().split(":", 2);
    user = URLDecoder.decode(credentials[0], StandardCharsets.UTF_8);
    password = URLDecoder.decode(credentials[1], StandardCharsets.UTF_8);
    host = uri.getHost();
    port = uri.getPort() < 0 ? 5672 : uri.getPort();
    process = null;
    String path = uri.getRawPath().replaceFirst("^/", "");
    String vhost = path.isEmpty() ? "/" : URLDecoder.decode(path, StandardCharsets.UTF_8);
    defaultHost = new VirtualHost(this, vhost);
  }

  /** The running node that all tests of this JVM share; it ends with the JVM. */
  public static synchronized RabbitNode shared() {
    if (shared == null) {
      RabbitNode node =
          RealServices.setting(URI_SETTING)
              .map(uri -> new RabbitNode(URI.create(uri)))
              .orElseGet(() -> new RabbitNode().start());
      OpenThings.remove(node);
      shared = node;
    }
    return shared;
  }

  /**
   * Adds a TLS listener, before the start: the files are PEM, and clients need a certificate of the
   * same authority.
   *
   * @return its port
   */
  public int addTls(Path authority, Path certificate, Path key) {
    return process().addTls(authority, certificate, key);
  }

  /** Starts the node and returns when it accepts connections. */
  public RabbitNode start() {
    process().start();
    OpenThings.add(this, "RabbitMQ on port " + port, this::isRunning);
    return this;
  }

  /** Stops the node in order. */
  public void stop() {
    process().signalAndAwaitExit("TERM");
  }

  /** Kills the node with kill -9. */
  public void kill() {
    process().signalAndAwaitExit("KILL");
  }

  /** Starts again on the same data and port; stops first if the node still runs. */
  public void restart() {
    stop();
    start();
  }

  /** Stops all threads of the node (SIGSTOP): connections stay open, nobody answers. */
  public void freeze() {
    process().signal("STOP");
  }

  /** Lets a frozen node go on (SIGCONT). */
  public void thaw() {
    process().signal("CONT");
  }

  /** Raises or clears the memory alarm, which blocks publishers; returns when it is in force. */
  public void memoryAlarm(boolean on) {
    ctl("set_vm_memory_high_watermark", on ? "0.0000001" : "0.4");
    awaitAlarm("memory", on);
  }

  /** Raises or clears the disk alarm, which blocks publishers; returns when it is in force. */
  public void diskAlarm(boolean on) {
    ctl("set_disk_free_limit", Long.toString(on ? HUGE_DISK_LIMIT : NORMAL_DISK_LIMIT));
    awaitAlarm("disk", on);
  }

  private void awaitAlarm(String resource, boolean on) {
    // The node polls itself, because each call of rabbitmqctl takes a second.
    String result =
        ctl(
            "eval",
            """
            Raised = fun() -> lists:any(
                fun({{resource_limit, %s, _}, _}) -> true; (_) -> false end,
                rabbit_alarm:get_alarms()) end,
            Wait = fun W(0) -> timeout;
                W(N) -> case Raised() of
                    %s -> reached;
                    _ -> timer:sleep(50), W(N - 1) end end,
            Wait(400)."""
                .formatted(resource, on));
    if (!result.contains("reached")) {
      throw new AssertionError(resource + " alarm did not become " + on + ": " + result);
    }
  }

  /** The queues with the number of messages in each. */
  public Map<String, Long> queues() {
    return defaultHost.queues();
  }

  /** Deletes the queue with its messages. */
  public void deleteQueue(String queue) {
    defaultHost.deleteQueue(queue);
  }

  /** Deletes the exchange with its bindings. */
  public void deleteExchange(String exchange) {
    defaultHost.deleteExchange(exchange);
  }

  /** Deletes the binding of the queue to the exchange. */
  public void deleteBinding(String exchange, String queue, String routingKey) {
    defaultHost.deleteBinding(exchange, queue, routingKey);
  }

  /** Applies the policy to the queues whose names match. */
  public void setPolicy(String policy, String queueRegex, String definitionJson) {
    defaultHost.setPolicy(policy, queueRegex, definitionJson);
  }

  /** Removes the policy. */
  public void clearPolicy(String policy) {
    defaultHost.clearPolicy(policy);
  }

  /** Changes the password of {@link #user}; URIs taken before no longer work. */
  public void changePassword(String newPassword) {
    ctl("change_password", user, newPassword);
    password = newPassword;
  }

  /**
   * A new virtual host, for isolation on a shared node. On a node that we did not start it is the
   * one of its URI.
   */
  public VirtualHost newVirtualHost() {
    if (process == null) {
      return defaultHost;
    }
    String name = "vh-" + UUID.randomUUID().toString().substring(0, 8);
    ctl("add_vhost", name);
    ctl("set_permissions", "-p", name, user, ".*", ".*", ".*");
    return new VirtualHost(this, name);
  }

  void delete(VirtualHost virtualHost) {
    if (virtualHost != defaultHost) {
      ctl("delete_vhost", virtualHost.name());
    }
  }

  /** Runs {@code rabbitmqctl -q} against this node and returns what it printed. */
  public String ctl(String... arguments) {
    return process().ctl(arguments);
  }

  private RabbitProcess process() {
    if (process == null) {
      throw RealServices.missing(
          "a RabbitMQ node of our own (" + URI_SETTING + " is set)", "rabbitmq-server");
    }
    return process;
  }

  /** Whether the process is alive; a frozen node is. */
  public boolean isRunning() {
    return process == null || process.isRunning();
  }

  /** The process id of the node, for tests about processes. */
  public long pid() {
    return process().pid();
  }

  /** The AMQP URI of the default virtual host, with credentials. */
  public String uri() {
    return defaultHost.uri();
  }

  /** The same over another port of 127.0.0.1: that of a {@link TcpProxy}. */
  public String uri(int otherPort) {
    return defaultHost.uri(otherPort);
  }

  String base(int otherPort) {
    String secret = URLEncoder.encode(password, StandardCharsets.UTF_8);
    String name = URLEncoder.encode(user, StandardCharsets.UTF_8);
    String target = otherPort == port ? host : "127.0.0.1";
    return "amqp://" + name + ":" + secret + "@" + target + ":" + otherPort + "/";
  }

  /** The AMQP port, the same over restarts. */
  public int port() {
    return port;
  }

  /** A user with all rights. */
  public String user() {
    return user;
  }

  /** The password of {@link #user}. */
  public String password() {
    return password;
  }

  /** Ends the node and removes its data; does nothing to the shared one. */
  @Override
  public void close() {
    if (this != shared) {
      process().delete();
    }
  }
}
