// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.outbox.FailedEvent.Kept;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an event goes that ended Failed: into the Failed table; if the database refuses it there,
 * into the failure file; if there is none, or it cannot be written, the event stays in the outbox
 * and is tried again later. Listeners are told in each case. Nothing leaves the outbox before
 * something else has taken it.
 *
 * <p>A refusal is an answer about this row or this table: a constraint, a value out of range, a
 * missing column or privilege, a full disk. Everything else (no connection, a shutdown, too many
 * connections, a deadlock, a lock that is not free) is an outage: nothing is moved, and the relay
 * tries again when the database is well.
 */
final class SafetyNet {

  private static final Logger log = LoggerFactory.getLogger(SafetyNet.class);

  /** How long an event waits that nothing took. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * SQL state classes of the standard: cardinality, data, integrity, syntax or access, check
   * option, feature not supported; and PostgreSQL's limit of the program.
   */
  private static final Set<String> REFUSALS = Set.of("21", "22", "23", "42", "44", "0A", "54");

  /** PostgreSQL's disk full; the rest of class 53 is an outage. */
  private static final String DISK_FULL = "53100";

  /** MariaDB's disk full, table full and missing default, which have a general SQL state. */
  private static final Set<Integer> MARIADB_REFUSALS = Set.of(1021, 1114, 1364);

  private static final int MOST_TOLD = 1_000;

  private final RelayStore store;
  private final RelayConnection connection;
  private final String relay;
  private final FailureListeners listeners;
  private final @Nullable FailureFile file;
  private final Set<UUID> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
              return size() > MOST_TOLD;
            }
          });

  SafetyNet(
      RelayStore store,
      RelayConnection connection,
      String relay,
      FailureListeners listeners,
      @Nullable FailureFile file) {
    this.store = store;
    this.connection = connection;
    this.relay = relay;
    this.listeners = listeners;
    this.file = file;
  }

  /** Returns where the event is now; null if the lease was lost, and it is another relay's. */
  @Nullable Kept take(RelayRow row, int attempt, String cause, String error, boolean blocks)
      throws SQLException {
    Kept kept = keep(row, cause, error, blocks);
    if (kept != null && (kept != Kept.OUTBOX || told.add(row.eventId()))) {
      listeners.tell(
          new FailedEvent(
              row.eventId(), row.type(), row.id(), attempt, cause, relay, blocks, kept));
    }
    return kept;
  }

  private @Nullable Kept keep(RelayRow row, String cause, String error, boolean blocks)
      throws SQLException {
    try {
      return store.fail(connection, row, cause, error, blocks) ? Kept.TABLE : null;
    } catch (SQLException e) {
      if (!isRefusal(e)) {
        throw e;
      }
      // Not the message: it may hold values of the row.
      log.error(
          "The database refuses to keep a Failed event: event={} type={} sqlState={} code={}",
          row.eventId(),
          row.type(),
          e.getSQLState(),
          e.getErrorCode());
    }
    if (inFile(row, cause, error, blocks)) {
      return store.remove(connection, row) ? Kept.FILE : null;
    }
    return store.defer(connection, row, error, PATIENCE) ? Kept.OUTBOX : null;
  }

  private boolean inFile(RelayRow row, String cause, String error, boolean blocks)
      throws SQLException {
    if (file == null) {
      return false;
    }
    Optional<FailureRecord> failure = store.failure(connection, row, cause, error, blocks);
    if (failure.isEmpty()) {
      return false;
    }
    try {
      file.append(failure.get());
    } catch (IOException e) {
      log.error(
          "The failure file cannot be written; the event stays in the outbox: event={} cause={}",
          row.eventId(),
          e.getClass().getSimpleName());
      return false;
    }
    return true;
  }

  static boolean isRefusal(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return (state.length() == 5 && REFUSALS.contains(state.substring(0, 2)))
        || state.equals(DISK_FULL)
        || (state.equals("HY000") && MARIADB_REFUSALS.contains(e.getErrorCode()));
  }
}
