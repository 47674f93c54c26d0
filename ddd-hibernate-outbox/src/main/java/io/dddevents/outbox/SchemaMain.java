// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command line of {@link OutboxSchema}.
 *
 * <pre>{@code
 * java -cp … io.dddevents.outbox.SchemaMain print --database postgresql
 * java -cp … io.dddevents.outbox.SchemaMain validate --url jdbc:postgresql://… --user app
 * java -cp … io.dddevents.outbox.SchemaMain apply --url … --user … [--schema s] [--prefix p] [--lanes n]
 * }</pre>
 *
 * <p>The password is read from the environment variable {@code DDD_DB_PASSWORD}: arguments can be
 * seen by everybody on the machine. Exit status: 0 fits or done, 1 does not fit, 2 wrong call.
 */
public final class SchemaMain {

  private static final String USAGE =
      """
      usage: print    --database h2|postgresql|mariadb|mysql [--schema NAME] [--prefix NAME] [--lanes N]
             validate --url JDBC-URL [--user NAME] [--schema NAME] [--prefix NAME]
             apply    --url JDBC-URL [--user NAME] [--schema NAME] [--prefix NAME] [--lanes N]
      The password is taken from the environment variable DDD_DB_PASSWORD.""";

  private SchemaMain() {}

  /** Runs and ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.exit(run(args, System.getenv(), System.out, System.err));
  }

  static int run(String[] args, Map<String, String> environment, PrintStream out, PrintStream err) {
    try {
      Map<String, String> options = options(args);
      return switch (args.length == 0 ? "" : args[0]) {
        case "print" -> {
          out.println(
              schema(OutboxSchema.forDatabase(option(options, "database")), options).print());
          yield 0;
        }
        case "validate" -> validate(options, environment, out);
        case "apply" -> apply(options, environment, out);
        default -> throw new IllegalArgumentException("say print, validate or apply");
      };
    } catch (IllegalArgumentException | OutboxException e) {
      err.println(e.getMessage());
      err.println(USAGE);
      return 2;
    } catch (SQLException e) {
      err.println("the database said: " + withoutSecrets(String.valueOf(e.getMessage())));
      return 2;
    }
  }

  /** Drivers quote the URL they were given, and a password may stand in it. */
  private static String withoutSecrets(String message) {
    return message
        .replaceAll("(?i)(password|pwd)=[^&;\\s]*", "$1=***")
        .replaceAll("//[^/@\\s]*@", "//***@");
  }

  private static int validate(
      Map<String, String> options, Map<String, String> environment, PrintStream out)
      throws SQLException {
    try (Connection connection = connect(options, environment)) {
      OutboxSchema schema = schema(OutboxSchema.forDatabase(connection), options);
      List<String> problems = schema.validate(connection);
      problems.forEach(out::println);
      out.println(problems.isEmpty() ? "the tables fit" : "print shows the SQL, apply runs it");
      return problems.isEmpty() ? 0 : 1;
    }
  }

  private static int apply(
      Map<String, String> options, Map<String, String> environment, PrintStream out)
      throws SQLException {
    try (Connection connection = connect(options, environment)) {
      OutboxSchema schema = schema(OutboxSchema.forDatabase(connection), options);
      schema.apply(connection);
      out.println("the tables are there, version " + OutboxSchema.VERSION);
      return 0;
    }
  }

  private static OutboxSchema schema(OutboxSchema base, Map<String, String> options) {
    return base.schema(options.get("schema"))
        .tablePrefix(options.getOrDefault("prefix", ""))
        .lanes(lanes(options.getOrDefault("lanes", Integer.toString(OutboxSchema.DEFAULT_LANES))));
  }

  private static int lanes(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--lanes must be a number, was '" + text + "'", e);
    }
  }

  private static Connection connect(Map<String, String> options, Map<String, String> environment)
      throws SQLException {
    return DriverManager.getConnection(
        option(options, "url"),
        options.getOrDefault("user", ""),
        environment.getOrDefault("DDD_DB_PASSWORD", ""));
  }

  private static String option(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return value;
  }

  private static Map<String, String> options(String[] args) {
    List<String> known = List.of("database", "url", "user", "schema", "prefix", "lanes");
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (!known.contains(name) || i + 1 == args.length) {
        throw new IllegalArgumentException(
            known.contains(name) ? args[i] + " needs a value" : "unknown option " + args[i]);
      }
      options.put(name, args[i + 1]);
    }
    return options;
  }
}
