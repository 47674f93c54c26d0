// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private MariaDB on 127.0.0.1 with its own folder and port, from the installed {@code
 * mariadb-server}; the machine's own configuration and server are not touched.
 *
 * <p>Not safe for many threads; connections to it are. The data lives until {@link #close}.
 */
public final class MariaDbServer implements AutoCloseable {
  private static @Nullable MariaDbServer shared;

  private final List<String> settings;
  private final int port = Os.freePort();
  private @Nullable Path folder;
  private @Nullable ServerProcess process;

  /** A server that is not started yet; settings such as {@code "max-connections=20"}. */
  public MariaDbServer(String... settings) {
    this.settings = List.of(settings);
  }

  /** The running server that all tests of this JVM share; it ends with the JVM. */
  public static synchronized MariaDbServer shared() {
    if (shared == null) {
      // Nobody crashes this one, so it need not wait for the disk; a private one does.
      MariaDbServer server =
          new MariaDbServer("max-connections=200", "innodb-flush-log-at-trx-commit=2").start();
      OpenThings.remove(server);
      shared = server;
    }
    return shared;
  }

  /** Starts the server and returns when it accepts connections. */
  public MariaDbServer start() {
    if (isRunning()) {
      throw new IllegalStateException("MariaDB on port " + port + " runs already");
    }
    Path home = folder == null ? initialise() : folder;
    List<String> command = command("mariadbd", home);
    command.add("--port=" + port);
    command.add("--bind-address=127.0.0.1");
    command.add("--skip-name-resolve");
    command.add("--socket=" + home.resolve("socket"));
    command.add("--pid-file=" + home.resolve("pid"));
    command.add("--init-file=" + home.resolve("init.sql"));
    // What Debian's configuration file sets, which is not read here.
    command.add("--character-set-server=utf8mb4");
    command.add("--collation-server=utf8mb4_general_ci");
    settings.forEach(setting -> command.add("--" + setting));
    ServerProcess started = ServerProcess.start("mariadbd", home, Map.of(), command);
    process = started;
    OpenThings.add(this, "MariaDB on port " + port, this::isRunning);
    started.awaitReady(Duration.ofSeconds(30), this::answers);
    return this;
  }

  private Path initialise() {
    Path home = Reaper.newFolder("my");
    Os.write(
        home.resolve("init.sql"),
        """
        create user if not exists 'ddd'@'127.0.0.1' identified by 'ddd';
        grant all on *.* to 'ddd'@'127.0.0.1' with grant option;
        """);
    List<String> command = command("mariadb-install-db", home);
    command.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
    Os.run(home, Map.of(), command);
    folder = home;
    return home;
  }

  private static List<String> command(String program, Path home) {
    Path path =
        RealServices.program(program)
            .orElseThrow(() -> RealServices.missing("MariaDB (" + program + ")", "mariadb-server"));
    List<String> command = new ArrayList<>();
    command.addAll(List.of(path.toString(), "--no-defaults", "--datadir=" + home.resolve("data")));
    // Two installations at once would take each other's temporary tables out of a shared folder.
    command.add("--tmpdir=" + home);
    if (Os.isRoot()) {
      command.add("--user=root");
    }
    return command;
  }

  private boolean answers() throws Exception {
    String url = url("mysql") + "&connectTimeout=5000&socketTimeout=5000";
    try (Connection connection = DriverManager.getConnection(url, user(), password())) {
      return connection.isValid(5);
    }
  }

  /** Stops the server in order; clients are disconnected, what is committed stays. */
  public void stop() {
    end("TERM");
  }

  /** Kills the server with kill -9; the next start has to recover from the log. */
  public void crash() {
    end("KILL");
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
      throw new IllegalStateException("MariaDB was not started");
    }
    return process.pid();
  }

  /** The port, the same over restarts. */
  public int port() {
    return port;
  }

  /** The JDBC URL of a database on this server, without credentials. */
  public String url(String database) {
    // The driver asks for TLS by default, and the server has no certificate.
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?sslMode=disable";
  }

  /** A user with all rights. */
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
