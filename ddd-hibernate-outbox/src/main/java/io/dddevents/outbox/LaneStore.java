// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The SQL of lanes and live relays. All times are the database's. */
final class LaneStore {

  /**
   * A lease that ends later than any relay could have asked for is damage, and counts as expired.
   */
  private static final long ABSURD_MILLIS = Duration.ofHours(2).toMillis();

  private final SqlDialect dialect;
  private final String relay;
  private final String lanes;
  private final String relays;
  private final String leaseEnd;
  private final String free;
  private final long leaseMillis;

  LaneStore(SqlDialect dialect, OutboxNames names, String relay, Duration lease) {
    this.dialect = dialect;
    this.relay = relay;
    this.lanes = names.qualified("outbox_lane");
    this.relays = names.qualified("outbox_relay");
    this.leaseMillis = lease.toMillis();
    this.leaseEnd = dialect.nowPlus(leaseMillis);
    this.free =
        "(locked_by is null or locked_until is null or locked_until < "
            + dialect.now()
            + " or locked_until > "
            + dialect.nowPlus(ABSURD_MILLIS)
            + ")";
  }

  /** Says that this relay lives, and how many do. */
  int heartbeat(Connection connection) throws SQLException {
    int updated =
        update(
            connection,
            "update " + relays + " set seen_at = " + dialect.now() + " where relay = ?");
    if (updated == 0) {
      update(
          connection,
          "insert into "
              + relays
              + " (relay, started_at, seen_at) values (?, "
              + dialect.now()
              + ", "
              + dialect.now()
              + ")");
    }
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select count(*) from "
                    + relays
                    + " where seen_at > "
                    + dialect.nowPlus(-leaseMillis));
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return Math.max(1, rows.getInt(1));
    }
  }

  /** Prolongs what this relay holds and returns it: lane and epoch. */
  Map<Integer, Long> renew(Connection connection, long readUpTo) throws SQLException {
    update(
        connection,
        "update "
            + lanes
            + " set locked_until = "
            + leaseEnd
            + ", read_up_to = "
            + readUpTo
            + " where locked_by = ?");
    return owned(connection);
  }

  Map<Integer, Long> owned(Connection connection) throws SQLException {
    Map<Integer, Long> owned = new TreeMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement("select lane, epoch from " + lanes + " where locked_by = ?")) {
      statement.setString(1, relay);
      read(statement, owned);
    }
    return owned;
  }

  int count(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("select count(*) from " + lanes);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Lanes whose owner did not renew its lease and did not give them back either. */
  Set<Integer> abandoned(Connection connection) throws SQLException {
    Map<Integer, Long> abandoned = new TreeMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select lane, epoch from " + lanes + " where locked_by is not null and " + free)) {
      read(statement, abandoned);
    }
    return abandoned.keySet();
  }

  /** Takes up to so many free lanes; each begins a new epoch. */
  Map<Integer, Long> claim(Connection connection, int most) throws SQLException {
    return dialect == SqlDialect.POSTGRESQL
        ? claimAtOnce(connection, most)
        : claimOneByOne(connection, most);
  }

  private Map<Integer, Long> claimAtOnce(Connection connection, int most) throws SQLException {
    String sql =
        "update "
            + lanes
            + " set locked_by = ?, epoch = epoch + 1, locked_until = "
            + leaseEnd
            + " where lane = any(array(select lane from "
            + lanes
            + " where "
            + free
            + " order by lane limit "
            + most
            + " for update skip locked)) returning lane, epoch";
    Map<Integer, Long> claimed = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, relay);
      read(statement, claimed);
    }
    return claimed;
  }

  /** The guard on the epoch decides, so this is right without any lock as well. */
  private Map<Integer, Long> claimOneByOne(Connection connection, int most) throws SQLException {
    Map<Integer, Long> candidates = new TreeMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select lane, epoch from "
                + lanes
                + " where "
                + free
                + " order by lane limit "
                + most
                + (dialect.skipsLocked() ? " for update skip locked" : ""))) {
      read(statement, candidates);
    }
    Map<Integer, Long> claimed = new TreeMap<>();
    for (Map.Entry<Integer, Long> lane : candidates.entrySet()) {
      int updated =
          update(
              connection,
              "update "
                  + lanes
                  + " set locked_by = ?, epoch = epoch + 1, locked_until = "
                  + leaseEnd
                  + " where lane = "
                  + lane.getKey()
                  + " and epoch = "
                  + lane.getValue()
                  + " and "
                  + free);
      if (updated == 1) {
        claimed.put(lane.getKey(), lane.getValue() + 1);
      }
    }
    return claimed;
  }

  void release(Connection connection, Collection<Integer> some) throws SQLException {
    if (!some.isEmpty()) {
      update(
          connection,
          "update "
              + lanes
              + " set locked_by = null, locked_until = null where locked_by = ? and "
              + in("lane", some));
    }
  }

  /** Gives everything back and says goodbye. */
  void leave(Connection connection) throws SQLException {
    update(
        connection,
        "update " + lanes + " set locked_by = null, locked_until = null where locked_by = ?");
    update(connection, "delete from " + relays + " where relay = ?");
  }

  /** Relays that died without a goodbye. */
  void forgetDead(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "delete from " + relays + " where seen_at < " + dialect.nowPlus(-10 * leaseMillis))) {
      statement.executeUpdate();
    }
  }

  /** Numbers of our own, so they may stand in the text. */
  static String in(String column, Collection<? extends Number> numbers) {
    List<String> texts = new ArrayList<>(numbers.size());
    numbers.forEach(number -> texts.add(number.toString()));
    return column + " in (" + String.join(", ", texts) + ")";
  }

  private int update(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, relay);
      return statement.executeUpdate();
    }
  }

  private static void read(PreparedStatement statement, Map<Integer, Long> into)
      throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        into.put(rows.getInt(1), rows.getLong(2));
      }
    }
  }
}
