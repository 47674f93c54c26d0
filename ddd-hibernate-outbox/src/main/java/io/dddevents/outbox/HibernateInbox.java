// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dddevents.Inbox;
import jakarta.persistence.EntityManagerFactory;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Inbox} in the table {@code inbox_message}, written by the session of the unit of work
 * that runs on the thread. A duplicate leaves that transaction usable. Safe for many threads.
 *
 * <p>H2 waits for another transaction with the same message only as long as its lock timeout
 * allows; then the attempt fails and can be tried again.
 */
public final class HibernateInbox implements Inbox {

  private static final int CONSUMER_BYTES = 200;
  private static final int MESSAGE_ID_BYTES = 64;
  private static final int SHA256_BYTES = 32;
  private static final int PURGE_BATCH = 500;

  /** A purge may remove the row between our insert and our look at it; twice in a row it cannot. */
  private static final int TRIES = 3;

  private record Key(String consumer, String messageId) {}

  private final HibernateUnitOfWork unitOfWork;
  private final SqlDialect dialect;
  private final String insert;
  private final String selectHash;
  private final String selectOld;
  private final String deleteOld;

  private HibernateInbox(HibernateUnitOfWork unitOfWork, SqlDialect dialect, OutboxNames names) {
    this.unitOfWork = unitOfWork;
    this.dialect = dialect;
    String table = names.qualified("inbox_message");
    this.insert =
        "insert into "
            + table
            + " (consumer, message_id, sha256) values (?, ?, ?)"
            // Elsewhere a failed insert does not abort the transaction.
            + (dialect == SqlDialect.POSTGRESQL ? " on conflict do nothing" : "");
    this.selectHash =
        "select sha256 from "
            + table
            + " where consumer = ? and message_id = ?"
            + (isMySqlLike(dialect) ? " lock in share mode" : "");
    this.selectOld =
        "select consumer, message_id from " + table + " where received_at < ? limit " + PURGE_BATCH;
    this.deleteOld =
        "delete from " + table + " where consumer = ? and message_id = ? and received_at < ?";
  }

  /**
   * The inbox beside the outbox of the same persistence unit.
   *
   * @param sessions what the unit of work was made of
   * @param unitOfWork the one in which the handlers run
   */
  public static HibernateInbox of(EntityManagerFactory sessions, HibernateUnitOfWork unitOfWork) {
    SessionFactoryImplementor factory = sessions.unwrap(SessionFactoryImplementor.class);
    return new HibernateInbox(
        Objects.requireNonNull(unitOfWork, "unitOfWork"),
        SqlDialect.of(factory.getJdbcServices().getDialect()),
        OutboxSettings.of(factory.getProperties()).names());
  }

  @Override
  public Receipt receive(String consumer, String messageId, byte[] sha256) {
    requireSize("consumer", consumer.getBytes(UTF_8).length, 1, CONSUMER_BYTES);
    requireSize("messageId", messageId.getBytes(UTF_8).length, 1, MESSAGE_ID_BYTES);
    requireSize("sha256", sha256.length, SHA256_BYTES, SHA256_BYTES);
    Key key = new Key(consumer, messageId);
    return unitOfWork.session().doReturningWork(connection -> receive(connection, key, sha256));
  }

  /**
   * Forgets messages received before the given time, in small transactions of their own. Keep at
   * least the consumers' window and a day more, or a late duplicate is handled again.
   *
   * @return how many were forgotten
   */
  public int purge(Instant before) {
    int purged = 0;
    while (true) {
      int found =
          unitOfWork
              .requiresNew()
              .call(
                  () ->
                      unitOfWork
                          .session()
                          .<Integer>doReturningWork(connection -> purge(connection, before)));
      purged += found;
      if (found < PURGE_BATCH) {
        return purged;
      }
    }
  }

  private Receipt receive(Connection connection, Key key, byte[] sha256) throws SQLException {
    for (int i = 0; i < TRIES; i++) {
      if (insert(connection, key, sha256)) {
        return Receipt.FIRST;
      }
      byte[] known = hashOf(connection, key);
      if (known != null) {
        return MessageDigest.isEqual(known, sha256) ? Receipt.DUPLICATE : Receipt.CONFLICT;
      }
    }
    throw new OutboxException(
        "message " + key.messageId + " is neither new to the inbox nor in it; try again");
  }

  private boolean insert(Connection connection, Key key, byte[] sha256) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      bind(statement, key);
      statement.setBytes(3, sha256);
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      if (isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  private byte @Nullable [] hashOf(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(selectHash)) {
      bind(statement, key);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getBytes(1) : null;
      }
    }
  }

  /**
   * First reads without a lock, then deletes by key: a delete that scans would, on MariaDB, lock
   * every row it passes and so every consumer.
   */
  private int purge(Connection connection, Instant before) throws SQLException {
    List<Key> old = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(selectOld)) {
      dialect.bindInstant(statement, 1, before);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          old.add(new Key(dialect.readKey(rows, 1), dialect.readKey(rows, 2)));
        }
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(deleteOld)) {
      for (Key key : old) {
        bind(statement, key);
        dialect.bindInstant(statement, 3, before);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    return old.size();
  }

  private void bind(PreparedStatement statement, Key key) throws SQLException {
    dialect.bindKey(statement, 1, key.consumer);
    dialect.bindKey(statement, 2, key.messageId);
  }

  private boolean isDuplicate(SQLException e) {
    return isMySqlLike(dialect) ? e.getErrorCode() == 1062 : dialect.isDuplicateKey(e);
  }

  private static boolean isMySqlLike(SqlDialect dialect) {
    return dialect == SqlDialect.MARIADB || dialect == SqlDialect.MYSQL;
  }

  private static void requireSize(String name, int bytes, int least, int most) {
    if (bytes < least || bytes > most) {
      throw new IllegalArgumentException(
          name + " has " + bytes + " bytes; from " + least + " to " + most + " are allowed");
    }
  }
}
