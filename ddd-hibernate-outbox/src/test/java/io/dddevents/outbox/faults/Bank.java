// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.outbox.HibernateUnitOfWork;
import io.dddevents.testsupport.Database;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;

/**
 * The application under test. It keeps a ledger of its own: for every event it raises it writes a
 * row into {@code ledger_src}, by its own SQL, in the same business transaction. Whatever happens,
 * that table says which events must stand in the outbox.
 */
public final class Bank implements AutoCloseable {

  static final String LEDGER =
      "create table ledger_src (event_id varchar(36) primary key, aggregate varchar(100) not null,"
          + " what varchar(200) not null)";

  private final SessionFactory factory;
  private final HibernateUnitOfWork work;

  public Bank(Map<String, Object> settings) {
    Configuration configuration = new Configuration();
    configuration.getProperties().putAll(settings);
    configuration.addAnnotatedClass(Account.class);
    this.factory = configuration.buildSessionFactory();
    this.work = HibernateUnitOfWork.of(factory);
  }

  /** Opens the bank in an empty database and creates its tables. */
  public static Bank founded(Database database) {
    database.execute(LEDGER);
    return founded(database, Map.of());
  }

  /** The same with further settings, in a database that has a ledger. */
  public static Bank founded(Database database, Map<String, Object> more) {
    Map<String, Object> settings =
        connection(database.jdbcUrl(), database.user(), database.password());
    settings.put("hibernate.hbm2ddl.auto", "update");
    settings.putAll(more);
    return new Bank(settings);
  }

  static Map<String, Object> connection(String url, String user, String password) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("jakarta.persistence.jdbc.url", url);
    settings.put("jakarta.persistence.jdbc.user", user);
    settings.put("jakarta.persistence.jdbc.password", password);
    settings.put("hibernate.connection.pool_size", 20);
    return settings;
  }

  public SessionFactory factory() {
    return factory;
  }

  public HibernateUnitOfWork work() {
    return work;
  }

  /** Moves an account, which is opened if there is none, in a unit of work. */
  public List<UUID> move(String account, String... whats) {
    return work.call(() -> move(work.session(), account, whats));
  }

  /** The same in the transaction of the session. */
  static List<UUID> move(Session session, String id, String... whats) {
    Account account = session.find(Account.class, id);
    if (account == null) {
      account = new Account(id);
      session.persist(account);
    }
    List<UUID> eventIds = new ArrayList<>();
    for (String what : whats) {
      eventIds.add(move(session, account, what));
    }
    return eventIds;
  }

  public static UUID move(Session session, Account account, String what) {
    UUID eventId = account.move(what);
    note(session, eventId, account.id(), what);
    return eventId;
  }

  /** Writes the ledger by plain SQL, so that neither a flush nor capture has a part in it. */
  static void note(Session session, UUID eventId, String account, String what) {
    session.doWork(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "insert into ledger_src (event_id, aggregate, what) values (?, ?, ?)")) {
            insert.setString(1, eventId.toString());
            insert.setString(2, account);
            insert.setString(3, what);
            insert.executeUpdate();
          }
        });
  }

  /** A transaction by hand, without the unit of work: commits, or rolls back and rethrows. */
  void inTransaction(Consumer<Session> steps) {
    try (Session session = factory.openSession()) {
      Transaction transaction = session.beginTransaction();
      try {
        steps.accept(session);
        transaction.commit();
      } catch (RuntimeException | Error e) {
        if (transaction.getStatus().canRollback()) {
          try {
            transaction.rollback();
          } catch (RuntimeException alsoFailed) {
            e.addSuppressed(alsoFailed);
          }
        }
        throw e;
      }
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
