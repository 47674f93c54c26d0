// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventPublisher;
import io.dddevents.outbox.AdminResult.Outcome;
import io.dddevents.outbox.AuditStore.Entry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The operator's hand: look at the outbox, retry or discard Failed events, replay, release, purge.
 *
 * <p>Every action names an {@link Operator} and leaves a row in {@code outbox_audit}, written in
 * the transaction that does it; attempts that change nothing leave one too. Actions are safe while
 * relays run: of two operators who decide about the same event one wins, and the other is told. All
 * values are bound and all times are the database's.
 *
 * <p>Each call opens a short connection of its own, at READ COMMITTED. Safe for many threads. When
 * the database fails, an {@link OutboxException} says so; who may do what is up to the caller.
 */
public final class OutboxAdmin {

  private static final int MOST_ON_A_PAGE = 200;
  private static final int MOST_PURGED = 1_000;

  private final AdminActions actions;
  private final AdminReads reads;
  private final AdminMoves moves;
  private final AuditStore audit;
  private final OutboxNames names;

  private OutboxAdmin(DataSource dataSource, SqlDialect dialect, OutboxNames names) {
    this.names = names;
    this.actions = new AdminActions(dialect, dataSource, names);
    this.reads = new AdminReads(dialect, names);
    this.moves = new AdminMoves(dialect, names);
    this.audit = new AuditStore(names);
  }

  /** For the outbox in the connection's own schema, without a prefix. */
  public static OutboxAdmin of(DataSource dataSource) {
    return of(dataSource, null, "");
  }

  /** For the outbox in a schema, null for the connection's, with a table prefix. */
  public static OutboxAdmin of(DataSource dataSource, @Nullable String schema, String prefix) {
    OutboxNames names = OutboxNames.of(Optional.ofNullable(schema), prefix);
    try (Connection connection = dataSource.getConnection()) {
      return new OutboxAdmin(dataSource, SqlDialect.of(connection.getMetaData()), names);
    } catch (SQLException e) {
      throw AdminActions.failure("connect", e);
    }
  }

  /** How many events there are of each status. Counts the whole archive: not for every second. */
  public Map<EventStatus, Long> counts() {
    return actions.read("count", reads::counts);
  }

  /**
   * The age of the oldest event that is still to be published; empty when none is. Failed events
   * are not: they wait for an operator.
   */
  public Optional<Duration> lag() {
    return actions.read("lag", reads::lag);
  }

  /**
   * Some events in the order of their positions.
   *
   * @param after the position after which to begin: 0, or the {@code next} of the page before
   * @param size how many; 1 to 200, and what lies outside is taken for the nearest
   */
  public EventPage list(EventFilter filter, long after, int size) {
    int clamped = Math.max(1, Math.min(size, MOST_ON_A_PAGE));
    List<EventSummary> events =
        actions.read("list", connection -> reads.list(connection, filter, after, clamped));
    return new EventPage(
        events,
        events.size() < clamped
            ? OptionalLong.empty()
            : OptionalLong.of(events.get(events.size() - 1).position()));
  }

  /** One event without its payload. */
  public Optional<EventSummary> find(UUID eventId) {
    return actions.read("find", connection -> reads.find(connection, eventId));
  }

  /** One event with its payload. That the operator looked is audited. */
  public Optional<EventDetails> show(UUID eventId, Operator operator) {
    return actions.act(
        "SHOW",
        eventId.toString(),
        operator,
        connection -> {
          EventSummary summary = reads.find(connection, eventId).orElse(null);
          Optional<EventDetails> found =
              summary == null
                  ? Optional.empty()
                  : reads
                      .stored(connection, summary)
                      .map(event -> new EventDetails(summary, event));
          String result = found.isPresent() ? "DONE" : Outcome.NOT_FOUND.name();
          audit.write(
              connection, operator, "SHOW", new Entry(eventId.toString(), null, null, result));
          return found;
        });
  }

  /** Failed events by cause and type, the largest group first; at most 1,000 groups. */
  public List<FailureGroup> failures(EventFilter filter) {
    requireFailed(filter);
    return actions.read("group", connection -> reads.groups(connection, filter));
  }

  /**
   * Puts a Failed event back into the outbox with no attempts counted. It keeps its position, so it
   * goes out before the events it held back.
   */
  public AdminResult retry(UUID eventId, Operator operator) {
    return actions.one("RETRY", eventId, operator, moves::retry);
  }

  /** Retries Failed events that match. */
  public BulkResult retry(EventFilter filter, Bulk bulk, Operator operator) {
    requireFailed(filter);
    return actions.many("RETRY", filter, bulk, operator, moves::retry);
  }

  /** Retries every Failed event. */
  public BulkResult retryAll(Bulk bulk, Operator operator) {
    return retry(EventFilter.any(), bulk, operator);
  }

  /**
   * Gives a Failed event up: it moves to the archive with the operator's reason, and its aggregate
   * goes on without it.
   */
  public AdminResult discard(UUID eventId, Operator operator) {
    return actions.one("DISCARD", eventId, operator, discarding(operator));
  }

  /** Discards Failed events that match. */
  public BulkResult discard(EventFilter filter, Bulk bulk, Operator operator) {
    requireFailed(filter);
    return actions.many("DISCARD", filter, bulk, operator, discarding(operator));
  }

  /**
   * Publishes events of the archive again, in the order of their positions, each after the answer
   * for the one before; nothing in the tables changes. Consumers with an inbox see duplicates and
   * drop them as long as they remember. Processed events, unless the filter asks for discarded
   * ones. Ends early when the publisher cannot say what became of an event.
   */
  public ReplayResult replay(
      EventFilter filter, EventPublisher publisher, Bulk bulk, Operator operator) {
    EventStatus status = filter.status();
    if (filter.speaksOfFailures()
        || (status != null && status != EventStatus.PROCESSED && status != EventStatus.DISCARDED)) {
      throw new IllegalArgumentException(
          "only PROCESSED and DISCARDED events are in the archive, not: " + filter);
    }
    actions.note(operator, "REPLAY", new Entry(filter.toString(), null, null, "BEGUN"));
    Replay replay =
        new Replay(
            publisher,
            bulk,
            after ->
                actions.read(
                    "replay",
                    connection -> reads.archived(connection, filter, after, MOST_ON_A_PAGE)));
    ReplayResult result;
    try {
      result = replay.run();
    } catch (RuntimeException e) {
      actions.note(
          operator,
          "REPLAY",
          new Entry(filter.toString(), null, replay.result(true).toString(), "ERROR"));
      throw e;
    }
    actions.note(operator, "REPLAY", new Entry(filter.toString(), null, result.toString(), "DONE"));
    return result;
  }

  /**
   * Takes all lanes from a relay, so that another can have them at once rather than after the
   * lease. A relay that lives is fenced: what it has under way changes nothing in the tables, may
   * have been published, and will be published again.
   *
   * @return how many lanes were taken; empty if there is no such relay
   */
  public OptionalLong releaseRelay(String relay, Operator operator) {
    return actions.act(
        "RELEASE",
        relay,
        operator,
        connection -> {
          List<Integer> lanes = moves.lanesOf(connection, relay);
          moves.release(connection, lanes);
          boolean known = moves.forget(connection, relay) || !lanes.isEmpty();
          audit.write(
              connection,
              operator,
              "RELEASE",
              new Entry(
                  relay,
                  "lanes " + lanes,
                  known ? "free" : null,
                  known ? "DONE" : Outcome.NOT_FOUND.name()));
          return known ? OptionalLong.of(lanes.size()) : OptionalLong.empty();
        });
  }

  /** Takes lanes from whoever has them, as {@link #releaseRelay} does. Returns how many exist. */
  public int releaseLanes(Set<Integer> lanes, Operator operator) {
    if (lanes.isEmpty()) {
      throw new IllegalArgumentException("lanes must not be empty");
    }
    return actions.act(
        "RELEASE",
        "lanes " + lanes,
        operator,
        connection -> {
          List<Integer> found = moves.existing(connection, lanes);
          moves.release(connection, found);
          String result = found.isEmpty() ? Outcome.NOT_FOUND.name() : "DONE";
          audit.write(
              connection,
              operator,
              "RELEASE",
              new Entry("lanes " + lanes, null, "free: " + found, result));
          return found.size();
        });
  }

  /** What can be purged. */
  public enum Purgeable {
    /** Processed and discarded events. */
    ARCHIVE("outbox_archive", "ended_at"),
    /** Dedupe keys; a key that is gone can be used again. */
    DEDUPE("outbox_dedupe", "created_at"),
    /** Messages that consumers have handled; one that is gone would be handled again. */
    INBOX("inbox_message", "received_at");

    private final String table;
    private final String column;

    Purgeable(String table, String column) {
      this.table = table;
      this.column = column;
    }
  }

  /**
   * Deletes what is older, in transactions of at most 1,000 rows. An interrupt of the thread stops
   * it after the current one.
   *
   * @return how many rows it deleted
   */
  public long purge(Purgeable what, Duration olderThan, Operator operator) {
    if (olderThan.isNegative() || olderThan.compareTo(Duration.ofDays(36_500)) > 0) {
      throw new IllegalArgumentException("olderThan is 0 to 36500 days, not " + olderThan);
    }
    String target = what + " older than " + olderThan;
    long all = 0;
    int deleted;
    do {
      long before = all;
      deleted =
          actions.act(
              "PURGE",
              target,
              operator,
              connection -> {
                int rows =
                    moves.purge(
                        connection,
                        names.qualified(what.table),
                        what.column,
                        olderThan,
                        MOST_PURGED);
                if (rows > 0 || before == 0) {
                  audit.write(
                      connection,
                      operator,
                      "PURGE",
                      new Entry(target, null, rows + " rows deleted", "DONE"));
                }
                return rows;
              });
      all += deleted;
    } while (deleted == MOST_PURGED && !Thread.currentThread().isInterrupted());
    return all;
  }

  /**
   * Brings the events of a failure file into the Failed table. Events that any table has are left
   * alone, so a file can be imported twice. The file is not changed; move it away first, so that a
   * relay begins another.
   */
  public ImportResult importFailures(Path file, Operator operator) {
    FailureImport work =
        new FailureImport(
            file,
            failure ->
                actions.act(
                    "IMPORT",
                    failure.event().eventId().toString(),
                    operator,
                    connection -> imported(connection, failure, operator)));
    ImportResult result;
    try {
      result = work.run();
    } catch (OutboxException e) {
      actions.note(
          operator, "IMPORT", new Entry("file " + file.getFileName(), null, null, "ERROR"));
      throw e;
    }
    actions.note(
        operator,
        "IMPORT",
        new Entry("file " + file.getFileName(), null, result.toString(), "DONE"));
    return result;
  }

  private boolean imported(Connection connection, FailureRecord failure, Operator operator)
      throws SQLException {
    if (reads.find(connection, failure.event().eventId()).isPresent()) {
      return false;
    }
    moves.importFailed(connection, failure);
    audit.write(
        connection,
        operator,
        "IMPORT",
        new Entry(
            failure.event().eventId().toString(), null, "FAILED cause=" + failure.cause(), "DONE"));
    return true;
  }

  private AdminActions.Move discarding(Operator operator) {
    return (connection, rows) -> moves.discard(connection, rows, operator.why());
  }

  private static void requireFailed(EventFilter filter) {
    if (filter.status() != null && filter.status() != EventStatus.FAILED) {
      throw new IllegalArgumentException("only FAILED events are meant here, not: " + filter);
    }
  }
}
