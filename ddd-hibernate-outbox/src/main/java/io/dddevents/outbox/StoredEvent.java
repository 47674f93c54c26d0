// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The columns of an event as they stand in a table, whole or damaged; nothing is interpreted. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StoredEvent(
    long id,
    UUID eventId,
    int lane,
    @Nullable String tenant,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable Long aggregateVersion,
    String type,
    int version,
    Instant occurredAt,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    @Nullable String dedupeKey,
    @Nullable String headers,
    String contentType,
    byte[] payload,
    byte[] sha256,
    int attempts,
    Instant createdAt) {

  /** In the order of {@link #read} and {@link #bind}. */
  static final String COLUMNS = "id, " + RelayReads.EVENT_COLUMNS + ", attempts, created_at";

  /** How many there are. */
  static final int COUNT = 20;

  static StoredEvent read(SqlDialect dialect, ResultSet rows) throws SQLException {
    long version = rows.getLong(7);
    Long present = rows.wasNull() ? null : version;
    return new StoredEvent(
        rows.getLong(1),
        dialect.readUuid(rows, 2),
        rows.getInt(3),
        rows.getString(4),
        rows.getString(5),
        rows.getString(6),
        present,
        rows.getString(8),
        rows.getInt(9),
        dialect.readInstant(rows, 10),
        rows.getString(11),
        rows.getString(12),
        rows.getString(13),
        rows.getString(14),
        rows.getString(15),
        rows.getString(16),
        bytes(rows, 17),
        bytes(rows, 18),
        rows.getInt(19),
        dialect.readInstant(rows, 20));
  }

  void bind(SqlDialect dialect, PreparedStatement row) throws SQLException {
    row.setLong(1, id);
    dialect.bindUuid(row, 2, eventId);
    row.setShort(3, (short) lane);
    SqlDialect.bindText(row, 4, tenant);
    SqlDialect.bindText(row, 5, aggregateType);
    SqlDialect.bindText(row, 6, aggregateId);
    if (aggregateVersion == null) {
      row.setNull(7, Types.BIGINT);
    } else {
      row.setLong(7, aggregateVersion);
    }
    row.setString(8, type);
    row.setShort(9, (short) version);
    dialect.bindInstant(row, 10, occurredAt);
    SqlDialect.bindText(row, 11, correlationId);
    SqlDialect.bindText(row, 12, causationId);
    SqlDialect.bindText(row, 13, traceparent);
    SqlDialect.bindText(row, 14, dedupeKey);
    SqlDialect.bindText(row, 15, headers);
    row.setString(16, contentType);
    row.setBytes(17, payload);
    row.setBytes(18, sha256);
    row.setInt(19, attempts);
    dialect.bindInstant(row, 20, createdAt);
  }

  private static byte[] bytes(ResultSet rows, int index) throws SQLException {
    byte[] bytes = rows.getBytes(index);
    return bytes == null ? new byte[0] : bytes;
  }
}
