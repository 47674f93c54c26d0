// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition whose values are bound, never written into the SQL. */
final class Where {

  private final SqlDialect dialect;
  private final List<String> parts = new ArrayList<>();
  private final List<Binder> binders = new ArrayList<>();

  Where(SqlDialect dialect) {
    this.dialect = dialect;
  }

  /** What tables of events have in common. */
  Where common(EventFilter filter) {
    text("event_type", filter.type());
    text("aggregate_type", filter.aggregateType());
    text("aggregate_id", filter.aggregateId());
    text("tenant", filter.tenant());
    instant("created_at >= ?", filter.createdFrom());
    return instant("created_at < ?", filter.createdBefore());
  }

  /** What only the Failed table has. */
  Where failure(EventFilter filter) {
    text("cause", filter.cause());
    instant("failed_at >= ?", filter.failedFrom());
    return instant("failed_at < ?", filter.failedBefore());
  }

  Where text(String column, @Nullable String value) {
    return value == null
        ? this
        : and(column + " = ?", (statement, index) -> statement.setString(index, value));
  }

  Where instant(String part, @Nullable Instant value) {
    return value == null
        ? this
        : and(part, (statement, index) -> dialect.bindInstant(statement, index, value));
  }

  Where after(long position) {
    return and("id > ?", (statement, index) -> statement.setLong(index, position));
  }

  Where and(String part, Binder binder) {
    parts.add(part);
    binders.add(binder);
    return this;
  }

  String sql() {
    return parts.isEmpty() ? " where 1 = 1" : " where " + String.join(" and ", parts);
  }

  /** Binds from an index on and returns the next. */
  int bind(PreparedStatement statement, int from) throws SQLException {
    int index = from;
    for (Binder binder : binders) {
      binder.bind(statement, index++);
    }
    return index;
  }

  /** Binds one value. */
  interface Binder {
    void bind(PreparedStatement statement, int index) throws SQLException;
  }
}
