// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;

/** Runs work in transactions of one factory and reads what stands in its outbox. */
public final class Harness implements AutoCloseable {

  private final SessionFactory factory;
  private final Function<SessionFactory, Session> opener;
  private final String qualifier;

  public Harness(SessionFactory factory) {
    this(factory, SessionFactory::openSession, "");
  }

  /**
   * With another way to open sessions.
   *
   * @param qualifier schema and prefix before the names of the tables
   */
  public Harness(
      SessionFactory factory, Function<SessionFactory, Session> opener, String qualifier) {
    this.factory = factory;
    this.opener = opener;
    this.qualifier = qualifier;
  }

  public SessionFactory factory() {
    return factory;
  }

  public Session open() {
    return opener.apply(factory);
  }

  /** Commits, or rolls back and rethrows. */
  public void commit(Consumer<Session> work) {
    try (Session session = open()) {
      Transaction transaction = session.beginTransaction();
      try {
        work.accept(session);
        transaction.commit();
      } catch (RuntimeException | Error e) {
        if (transaction.isActive()) {
          transaction.rollback();
        }
        throw e;
      }
    }
  }

  public <T> T load(Function<Session, T> work) {
    List<T> result = new ArrayList<>();
    commit(session -> result.add(work.apply(session)));
    return result.get(0);
  }

  /** The entity as the database has it; null if there is none. */
  public <T> T find(Class<T> type, Object id) {
    return load(session -> session.find(type, id));
  }

  public void rollback(Consumer<Session> work) {
    try (Session session = open()) {
      Transaction transaction = session.beginTransaction();
      work.accept(session);
      transaction.rollback();
    }
  }

  public void commitStateless(Consumer<StatelessSession> work) {
    try (StatelessSession session = factory.openStatelessSession()) {
      Transaction transaction = session.beginTransaction();
      try {
        work.accept(session);
        transaction.commit();
      } catch (RuntimeException | Error e) {
        if (transaction.isActive()) {
          transaction.rollback();
        }
        throw e;
      }
    }
  }

  /** What happened, in the order of the outbox. */
  public List<String> stored() {
    return rows().stream().map(Row::what).toList();
  }

  public List<Row> rows() {
    return read(
        "select event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload,"
            + " sha256, tenant, correlation_id, headers, lane from "
            + qualifier
            + "outbox_event order by id",
        rows ->
            new Row(
                uuid(rows.getObject(1)),
                rows.getString(2),
                rows.getString(3),
                (Long) rows.getObject(4),
                rows.getString(5),
                new String(rows.getBytes(6), StandardCharsets.UTF_8),
                HexFormat.of().formatHex(rows.getBytes(7)),
                rows.getString(8),
                rows.getString(9),
                rows.getString(10),
                rows.getInt(11)));
  }

  public long count(String table) {
    return read("select count(*) from " + table, rows -> rows.getLong(1)).get(0);
  }

  public <T> List<T> read(String sql, Reader<T> reader) {
    try (StatelessSession session = factory.openStatelessSession()) {
      return session.doReturningWork(connection -> read(connection, sql, reader));
    }
  }

  private static <T> List<T> read(Connection connection, String sql, Reader<T> reader)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> result = new ArrayList<>();
      while (rows.next()) {
        result.add(reader.read(rows));
      }
      return result;
    }
  }

  private static UUID uuid(Object value) {
    if (value instanceof byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
    return (UUID) value;
  }

  /** Empties the outbox and the dedupe keys; the aggregates stay. */
  public void clear() {
    try (StatelessSession session = factory.openStatelessSession()) {
      Transaction transaction = session.beginTransaction();
      session.doWork(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              statement.execute("delete from " + qualifier + "outbox_event");
              statement.execute("delete from " + qualifier + "outbox_dedupe");
            }
          });
      transaction.commit();
    }
  }

  @Override
  public void close() {
    factory.close();
  }

  /** Reads one row. */
  public interface Reader<T> {
    T read(ResultSet rows) throws SQLException;
  }

  /** A row of the outbox. */
  public record Row(
      UUID eventId,
      String aggregateType,
      String aggregateId,
      Long version,
      String type,
      String payload,
      String sha256,
      String tenant,
      String correlationId,
      String headers,
      int lane) {

    /** The text between the quotes of {@code {"what":"…"}}. */
    public String what() {
      return payload.replaceAll("^\\{\"what\":\"|\"\\}$", "");
    }
  }
}
