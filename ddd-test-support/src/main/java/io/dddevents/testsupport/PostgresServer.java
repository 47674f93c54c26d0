// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private PostgreSQL on 127.0.0.1 with its own folder and port, and with {@code fsync} on, so
 * that what it says about a crash is true.
 *
 * <p>Not safe for many threads; connections to it are. The data lives until {@link #close}.
 */
public final class PostgresServer implements AutoCloseable {
  /** The user nobody. PostgreSQL refuses to run as root, and any other user will do. */
  private static final String UNPRIVILEGED = "65534";

  private static @Nullable PostgresServer shared;

  private final List<String> settings;
  private final int port = Os.freePort();
  private @Nullable Path folder;
  private @Nullable ServerProcess process;

  /** A server that is not started yet; settings such as {@code "max_connections=20"}. */
  public PostgresServer(String... settings) {
    this.settings = List.of(settings);
  }

  /** The running server that all tests of this JVM share; it ends with the JVM. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      // Nobody crashes this one, so it need not wait for the disk; a private one does.
      PostgresServer server = new PostgresServer("max_connections=200", "fsync=off").start();
      OpenThings.remove(server);
      shared = server;
    }
    return shared;
  }

  /** Starts the server and returns when it accepts connections. */
  public PostgresServer start() {
    if (isRunning()) {
      throw new IllegalStateException("PostgreSQL on port " + port + " runs already");
    }
    Path home = folder == null ? initialise() : folder;
    List<String> command = command("postgres", "-D", home.resolve("data").toString());
    command.addAll(List.of("-p", Integer.toString(port)));
    command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    ServerProcess started = ServerProcess.start("postgres", home, Map.of(), command);
    process = started;
    OpenThings.add(this, "PostgreSQL on port " + port, this::isRunning);
    started.awaitReady(Duration.ofSeconds(30), this::answers);
    return this;
  }

  private Path initialise() {
    Path home = Reaper.newFolder("pg");
    Path password = home.resolve("password");
    Os.write(password, password());
    makeVisible(home);
    Path data = Os.folder(home, "data");
    if (Os.isRoot()) {
      Os.run(home, Map.of(), List.of("chown", "-R", UNPRIVILEGED, data.toString()));
    }
    List<String> command = command("initdb", "-D", data.toString(), "-U", user());
    command.addAll(List.of("--pwfile=" + password, "--auth=scram-sha-256"));
    // Not syncing is safe for the empty cluster only: the server itself syncs.
    command.addAll(List.of("--encoding=UTF8", "--no-locale", "--no-sync"));
    Os.run(home, Map.of(), command);
    folder = home;
    return home;
  }

  private static List<String> command(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (Os.isRoot()) {
      String user = "--reuid=" + UNPRIVILEGED;
      command.addAll(List.of("setpriv", user, "--regid=" + UNPRIVILEGED, "--clear-groups"));
    }
    command.add(PostgresBinaries.program(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Lets the unprivileged user in. */
  static void makeVisible(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() throws Exception {
    String url = url("postgres") + "?connectTimeout=5&socketTimeout=5";
    try (Connection connection = DriverManager.getConnection(url, user(), password())) {
      return connection.isValid(5);
    }
  }

  /** Stops the server in order; clients are disconnected, what is committed stays. */
  public void stop() {
    end("INT");
  }

  /** An immediate shutdown: no checkpoint, the next start has to recover from the log. */
  public void crash() {
    // Not kill -9: orphaned backends would hold the memory that the next start wants.
    end("QUIT");
  }

  private void end(String signal) {
    if (process != null) {
      process.signalAndAwaitExit(signal);
    }
  }

  /** Starts again on the same data and port; stops first if the server still runs. */
  public void restart() {
    stop();
    start();
  }

  /** Whether the process is alive. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** The process id, for tests about processes. */
  public long pid() {
    if (process == null) {
      throw new IllegalStateException("PostgreSQL was not started");
    }
    return process.pid();
  }

  /** The port, the same over restarts. */
  public int port() {
    return port;
  }

  /** The JDBC URL of a database on this server, without credentials. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** A superuser. */
  public String user() {
    return "ddd";
  }

  /** The password of {@link #user}. */
  public String password() {
    return "ddd";
  }

  /** Stops the server and removes its data; does nothing to the shared one. */
  @Override
  public void close() {
    if (this == shared) {
      return;
    }
    stop();
    if (folder != null) {
      Os.delete(folder);
      folder = null;
    }
  }
}
