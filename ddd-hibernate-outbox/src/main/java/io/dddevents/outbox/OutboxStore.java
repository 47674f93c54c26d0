// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import io.dddevents.EventContext;
import io.dddevents.EventEnvelope;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Writes envelopes into the outbox on the connection it is given: one statement for one event, one
 * batch for many. Events with a dedupe key first take their key; those whose key was taken before
 * are left out.
 */
final class OutboxStore {

  private static final int KEYS_PER_QUERY = 100;

  private final SqlDialect dialect;
  private final String insertEvent;
  private final String insertKey;
  private final String selectKeys;

  OutboxStore(SqlDialect dialect, OutboxNames names) {
    this.dialect = dialect;
    String dedupe = names.qualified("outbox_dedupe");
    this.insertKey = dialect.insertKey(dedupe);
    this.selectKeys = "select event_id from " + dedupe + " where ";
    this.insertEvent =
        """
        insert into %s (event_id, lane, tenant, aggregate_type, aggregate_id, aggregate_version,
          event_type, event_version, occurred_at, correlation_id, causation_id, traceparent,
          dedupe_key, headers, content_type, payload, sha256)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
            .formatted(names.qualified("outbox_event"));
  }

  /** Stores the envelopes in the given order and returns the ids of those that were stored. */
  Set<UUID> insert(Connection connection, List<EventEnvelope> envelopes, int lanes)
      throws SQLException {
    List<EventEnvelope> fresh = withoutUsedKeys(connection, envelopes);
    Set<UUID> stored = new HashSet<>();
    if (fresh.isEmpty()) {
      return stored;
    }
    try (PreparedStatement statement = connection.prepareStatement(insertEvent)) {
      for (EventEnvelope envelope : fresh) {
        bind(statement, envelope, lanes);
        stored.add(envelope.id());
        if (fresh.size() > 1) {
          statement.addBatch();
        }
      }
      if (fresh.size() > 1) {
        statement.executeBatch();
      } else {
        statement.executeUpdate();
      }
    }
    return stored;
  }

  private List<EventEnvelope> withoutUsedKeys(Connection connection, List<EventEnvelope> envelopes)
      throws SQLException {
    List<EventEnvelope> keyed =
        envelopes.stream().filter(envelope -> envelope.dedupeKey().isPresent()).toList();
    if (keyed.isEmpty()) {
      return envelopes;
    }
    takeKeys(connection, keyed);
    Set<UUID> owners = new HashSet<>();
    for (int i = 0; i < keyed.size(); i += KEYS_PER_QUERY) {
      readOwners(connection, keyed.subList(i, Math.min(i + KEYS_PER_QUERY, keyed.size())), owners);
    }
    List<EventEnvelope> fresh = new ArrayList<>(envelopes);
    fresh.removeIf(envelope -> envelope.dedupeKey().isPresent() && !owners.contains(envelope.id()));
    return fresh;
  }

  private void takeKeys(Connection connection, List<EventEnvelope> keyed) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertKey)) {
      for (EventEnvelope envelope : keyed) {
        dialect.bindKey(statement, 1, envelope.type().name());
        dialect.bindKey(statement, 2, envelope.dedupeKey().orElseThrow());
        dialect.bindUuid(statement, 3, envelope.id());
        statement.addBatch();
      }
      statement.executeBatch();
    } catch (BatchUpdateException e) {
      // H2 goes on after a row that fails; all it may complain about are keys that are taken.
      for (SQLException each = e.getNextException(); each != null; each = each.getNextException()) {
        if (!dialect.isDuplicateKey(each)) {
          throw e;
        }
      }
      if (e.getNextException() == null) {
        throw e;
      }
    }
  }

  /**
   * Which event owns each key. The update counts of the insert cannot tell: PostgreSQL's driver
   * gives none for rewritten batches, and MariaDB's gives the same for both cases.
   */
  private void readOwners(Connection connection, List<EventEnvelope> keyed, Set<UUID> owners)
      throws SQLException {
    String where =
        String.join(
            " or ", keyed.stream().map(envelope -> "(event_type = ? and dedupe_key = ?)").toList());
    try (PreparedStatement statement =
        connection.prepareStatement(selectKeys + where + dialect.currentRead())) {
      int index = 1;
      for (EventEnvelope envelope : keyed) {
        dialect.bindKey(statement, index++, envelope.type().name());
        dialect.bindKey(statement, index++, envelope.dedupeKey().orElseThrow());
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          owners.add(dialect.readUuid(rows, 1));
        }
      }
    }
  }

  private void bind(PreparedStatement row, EventEnvelope envelope, int lanes) throws SQLException {
    Aggregate aggregate = envelope.aggregate().orElse(null);
    EventContext context = envelope.context();
    dialect.bindUuid(row, 1, envelope.id());
    row.setShort(2, (short) Lanes.of(aggregate, envelope.id(), lanes));
    SqlDialect.bindText(row, 3, context.tenant());
    SqlDialect.bindText(row, 4, aggregate == null ? null : aggregate.type());
    SqlDialect.bindText(row, 5, aggregate == null ? null : aggregate.id());
    Long version = aggregate == null ? null : aggregate.version();
    if (version == null) {
      row.setNull(6, Types.BIGINT);
    } else {
      row.setLong(6, version);
    }
    row.setString(7, envelope.type().name());
    row.setShort(8, (short) envelope.type().version());
    dialect.bindInstant(row, 9, envelope.occurredAt());
    SqlDialect.bindText(row, 10, context.correlationId());
    SqlDialect.bindText(row, 11, context.causationId());
    SqlDialect.bindText(row, 12, context.traceparent());
    SqlDialect.bindText(row, 13, envelope.dedupeKey().orElse(null));
    SqlDialect.bindText(row, 14, HeaderText.encode(context.headers()));
    row.setString(15, envelope.contentType());
    row.setBytes(16, envelope.payload());
    row.setBytes(17, envelope.sha256());
  }
}
