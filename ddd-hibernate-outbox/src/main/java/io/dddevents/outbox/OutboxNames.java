// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where the tables are: an optional schema and an optional prefix. Names come into SQL by
 * concatenation, so they are checked here, once.
 */
final class OutboxNames {

  /** The longest suffix of ours is 32 characters, and PostgreSQL cuts names at 63. */
  private static final int MAX_LENGTH = 30;

  private static final Set<String> RESERVED =
      Set.of(
          ("all and any as asc between by case check column constraint create cross current default"
                  + " delete desc distinct drop else end except exists false for foreign from grant"
                  + " group having in index inner insert intersect into is join key left like limit"
                  + " not null offset on or order outer primary references right row rows select set"
                  + " schema table then to true union unique update user using value values view when"
                  + " where with")
              .split(" "));

  private final Optional<String> schema;
  private final String prefix;

  private OutboxNames(Optional<String> schema, String prefix) {
    this.schema = schema;
    this.prefix = prefix;
  }

  static OutboxNames of(Optional<String> schema, String prefix) {
    schema.ifPresent(name -> require(OutboxSettings.SCHEMA, name));
    if (!prefix.isEmpty()) {
      require(OutboxSettings.TABLE_PREFIX, prefix);
    }
    return new OutboxNames(schema, prefix);
  }

  static OutboxNames defaults() {
    return new OutboxNames(Optional.empty(), "");
  }

  Optional<String> schema() {
    return schema;
  }

  String prefix() {
    return prefix;
  }

  /** The table's name without the schema. */
  String local(String table) {
    return prefix + table;
  }

  /** The table's name as it stands in SQL. */
  String qualified(String table) {
    return qualifier() + table;
  }

  /** Schema and prefix as they stand before a table's own name. */
  String qualifier() {
    return schema.map(name -> name + ".").orElse("") + prefix;
  }

  private static void require(String setting, String name) {
    boolean fits = !name.isEmpty() && name.length() <= MAX_LENGTH && isLetter(name.charAt(0));
    for (int i = 1; fits && i < name.length(); i++) {
      fits = isLetter(name.charAt(i)) || (name.charAt(i) >= '0' && name.charAt(i) <= '9');
    }
    if (!fits) {
      throw new OutboxException(
          setting
              + " is not a plain SQL name; use 1 to "
              + MAX_LENGTH
              + " letters, digits and '_' that do not begin with a digit");
    }
    if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      throw new OutboxException(
          setting + " is '" + name + "', a reserved word of SQL; choose another name");
    }
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
