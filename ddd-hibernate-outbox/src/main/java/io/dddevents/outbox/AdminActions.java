// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.outbox.AdminResult.Outcome;
import io.dddevents.outbox.AuditStore.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How an operator's action runs: in short transactions, each with its line in the audit. */
final class AdminActions {

  private static final int MOST_MOVED = 500;

  private final SqlDialect dialect;
  private final AdminConnection connections;
  private final AdminReads reads;
  private final AdminMoves moves;
  private final AuditStore audit;

  AdminActions(SqlDialect dialect, DataSource dataSource, OutboxNames names) {
    this.dialect = dialect;
    this.connections = new AdminConnection(dataSource, dialect);
    this.reads = new AdminReads(dialect, names);
    this.moves = new AdminMoves(dialect, names);
    this.audit = new AuditStore(names);
  }

  AdminResult one(String action, UUID eventId, Operator operator, Move move) {
    return act(
        action,
        eventId.toString(),
        operator,
        connection -> {
          Where where =
              new Where(dialect)
                  .and(
                      "event_id = ?",
                      (statement, index) -> dialect.bindUuid(statement, index, eventId));
          List<AdminMoves.Locked> rows = moves.lock(connection, where, 1);
          if (!rows.isEmpty()) {
            audit.write(connection, operator, action, move.apply(connection, rows));
            return new AdminResult(eventId, Outcome.DONE);
          }
          EventSummary found = reads.find(connection, eventId).orElse(null);
          Outcome outcome = whyNot(connection, eventId, found);
          String state = found == null ? null : found.status().name();
          audit.write(
              connection,
              operator,
              action,
              new Entry(eventId.toString(), state, state, outcome.name()));
          return new AdminResult(eventId, outcome);
        });
  }

  private Outcome whyNot(Connection connection, UUID eventId, @Nullable EventSummary found)
      throws SQLException {
    if (found != null && found.status() == EventStatus.DISCARDED) {
      return Outcome.ALREADY_DISCARDED;
    }
    if (audit.wasDone(connection, "RETRY", eventId.toString())) {
      return Outcome.ALREADY_RETRIED;
    }
    return found == null ? Outcome.NOT_FOUND : Outcome.NOT_FAILED;
  }

  /** Goes forward by position, so that an event which fails again at once is not met again. */
  BulkResult many(String action, EventFilter filter, Bulk bulk, Operator operator, Move move) {
    Pace pace = new Pace(bulk.perSecond());
    long done = 0;
    long after = 0;
    boolean stopped = false;
    while (done < bulk.limit() && !stopped) {
      int most = pace.batch((int) Math.min(MOST_MOVED, bulk.limit() - done));
      Where where = new Where(dialect).common(filter).failure(filter).after(after);
      List<AdminMoves.Locked> moved =
          act(
              action,
              filter.toString(),
              operator,
              connection -> {
                List<AdminMoves.Locked> rows = moves.lock(connection, where, most);
                if (!rows.isEmpty()) {
                  audit.write(connection, operator, action, move.apply(connection, rows));
                }
                return rows;
              });
      if (moved.isEmpty()) {
        break;
      }
      done += moved.size();
      after = moved.get(moved.size() - 1).id();
      stopped = !bulk.progress().test(done) || !pace.await(moved.size());
    }
    note(
        operator,
        action + "_MANY",
        new Entry(filter.toString(), null, done + " events", stopped ? "STOPPED" : "DONE"));
    return new BulkResult(done, stopped);
  }

  void note(Operator operator, String action, Entry entry) {
    act(
        action,
        entry.target(),
        operator,
        connection -> {
          audit.write(connection, operator, action, entry);
          return true;
        });
  }

  <T> T read(String what, RelayConnection.Work<T> work) {
    try {
      return connections.transaction(work);
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  /** An action that the database refuses is audited too, if it takes that. */
  <T> T act(String action, String target, Operator operator, RelayConnection.Work<T> work) {
    try {
      return connections.transaction(work);
    } catch (SQLException e) {
      throw audited(action, target, operator, failure(action, e), "sqlState=" + e.getSQLState());
    } catch (OutboxException e) {
      throw audited(action, target, operator, e, "nothing was changed");
    }
  }

  private OutboxException audited(
      String action, String target, Operator operator, OutboxException failure, String result) {
    try {
      connections.transaction(
          connection -> {
            audit.write(
                connection, operator, action, new Entry(target, null, null, "ERROR " + result));
            return true;
          });
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  static OutboxException failure(String what, SQLException e) {
    return new OutboxException(
        "the outbox could not " + what + " (SQL state " + e.getSQLState() + ")", e);
  }

  /** Moves locked rows and says what to audit. */
  interface Move {
    List<Entry> apply(Connection connection, List<AdminMoves.Locked> rows) throws SQLException;
  }
}
