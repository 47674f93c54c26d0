// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the outbox and the inbox: printed for a migration tool, compared with what is
 * there, or created. Nothing is ever dropped or changed.
 */
public final class OutboxSchema {

  /** The version of the tables that this code works with. */
  public static final int VERSION = 1;

  /** How many lanes a new outbox gets. */
  public static final int DEFAULT_LANES = 64;

  private static final int MAX_LANES = 1024;
  private static final String CREATE_TABLE = "create table if not exists ";

  private final SqlDialect dialect;
  private final OutboxNames names;
  private final int lanes;

  OutboxSchema(SqlDialect dialect, OutboxNames names) {
    this(dialect, names, DEFAULT_LANES);
  }

  private OutboxSchema(SqlDialect dialect, OutboxNames names, int lanes) {
    this.dialect = dialect;
    this.names = names;
    this.lanes = lanes;
  }

  /** For the named database: H2, PostgreSQL, MariaDB or MySQL. */
  public static OutboxSchema forDatabase(String product) {
    return new OutboxSchema(SqlDialect.named(product), OutboxNames.defaults());
  }

  /** For the database behind the connection; too old a version is refused. */
  public static OutboxSchema forDatabase(Connection connection) throws SQLException {
    return new OutboxSchema(SqlDialect.of(connection.getMetaData()), OutboxNames.defaults());
  }

  /** In another database schema. */
  public OutboxSchema schema(@Nullable String schema) {
    return new OutboxSchema(
        dialect, OutboxNames.of(Optional.ofNullable(schema), names.prefix()), lanes);
  }

  /** With a prefix before every table's name. */
  public OutboxSchema tablePrefix(String prefix) {
    return new OutboxSchema(dialect, OutboxNames.of(names.schema(), prefix), lanes);
  }

  /**
   * With another number of lanes, 1 to {@value #MAX_LANES}. Defaults to {@value #DEFAULT_LANES}. It
   * can be changed later only while nothing is written and nothing is pending.
   */
  public OutboxSchema lanes(int lanes) {
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException("lanes must be from 1 to " + MAX_LANES + ", was " + lanes);
    }
    return new OutboxSchema(dialect, names, lanes);
  }

  /** The SQL as one text, for a migration tool or a pair of eyes. */
  public String print() {
    return text();
  }

  /** The SQL, statement by statement. */
  public List<String> statements() {
    StringBuilder sql = new StringBuilder();
    text().lines().filter(line -> !line.startsWith("--")).forEach(l -> sql.append(l).append('\n'));
    return Arrays.stream(sql.toString().split(";\n"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /** Creates what is missing, and changes nothing that is there. */
  public void apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements()) {
        statement.execute(sql);
      }
    }
  }

  /** What does not fit, in words; empty if all is well. */
  public List<String> validate(Connection connection) throws SQLException {
    dialect.requireVersion(connection.getMetaData());
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, Set<String>> table : columns().entrySet()) {
      Set<String> found = columnsOf(connection, table.getKey());
      Set<String> missing = new LinkedHashSet<>(table.getValue());
      missing.removeAll(found);
      if (found.isEmpty()) {
        problems.add("table " + names.qualified("") + table.getKey() + " is missing");
      } else if (!missing.isEmpty()) {
        problems.add(
            "table " + names.qualified("") + table.getKey() + " lacks the columns " + missing);
      }
    }
    if (problems.isEmpty()) {
      problems.addAll(Durability.problems(connection, dialect));
      validateVersion(connection, problems);
      if (countLanes(connection) == 0) {
        problems.add("table " + names.qualified("outbox_lane") + " has no rows");
      }
    }
    return problems;
  }

  /** How many lanes there are; all nodes take it from the table, so they cannot disagree. */
  int countLanes(Connection connection) throws SQLException {
    return number(connection, "select count(*) from " + names.qualified("outbox_lane"));
  }

  private void validateVersion(Connection connection, List<String> problems) throws SQLException {
    int found =
        number(
            connection,
            "select coalesce(max(version), 0) from " + names.qualified("outbox_schema"));
    if (found != VERSION) {
      problems.add(
          "the tables have version "
              + found
              + ", this release works with version "
              + VERSION
              + (found > VERSION ? "; use the newer release" : "; apply the SQL below"));
    }
  }

  /** Tables without their prefix, and their columns, read from the DDL itself: one truth. */
  private Map<String, Set<String>> columns() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    for (String statement : statements()) {
      if (!statement.startsWith(CREATE_TABLE)) {
        continue;
      }
      List<String> lines = statement.lines().toList();
      String qualified = lines.get(0).substring(CREATE_TABLE.length()).replace(" (", "");
      Set<String> columns = new LinkedHashSet<>();
      for (String line : lines.subList(1, lines.indexOf(closing(lines)))) {
        String word = line.strip().split(" ", 2)[0];
        if (!Set.of("constraint", "primary", "key").contains(word)) {
          columns.add(word);
        }
      }
      tables.put(qualified.substring(names.qualifier().length()), columns);
    }
    return tables;
  }

  private static String closing(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(")")).findFirst().orElseThrow();
  }

  private Set<String> columnsOf(Connection connection, String table) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    // Unquoted names: PostgreSQL stores them in lower case, H2 in upper case, MariaDB as they are.
    boolean schemaIsCatalog = dialect == SqlDialect.MARIADB || dialect == SqlDialect.MYSQL;
    String catalog = connection.getCatalog();
    String schema =
        schemaIsCatalog ? null : stored(metadata, names.schema().orElse(connection.getSchema()));
    String name = stored(metadata, names.local(table));
    Set<String> columns = new HashSet<>();
    try (ResultSet rows =
        metadata.getColumns(
            schemaIsCatalog ? names.schema().orElse(catalog) : catalog, schema, name, null)) {
      while (rows.next()) {
        // The names above are patterns, in which '_' stands for any character.
        if (rows.getString("TABLE_NAME").equalsIgnoreCase(name)
            && (schema == null || schema.equals(rows.getString("TABLE_SCHEM")))) {
          columns.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
        }
      }
    }
    return columns;
  }

  private static @Nullable String stored(DatabaseMetaData metadata, @Nullable String name)
      throws SQLException {
    if (name == null) {
      return null;
    }
    if (metadata.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return metadata.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private String text() {
    String resource = "schema/" + dialect.resource();
    try (InputStream in = OutboxSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from the jar");
      }
      return new String(in.readAllBytes(), UTF_8)
          .replace("${p}", names.qualifier())
          .replace("${n}", names.prefix())
          .replace("${lanes}", Integer.toString(lanes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
