// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.outbox.domain.Doc;
import io.dddevents.testsupport.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Persistence units with one aggregate, and what stands in their databases. */
final class Units {

  private Units() {}

  /** A unit that leaves the tables alone unless the settings say otherwise. */
  static SessionFactory start(Database database, Map<String, ?> settings) {
    return start(database, settings, Doc.class);
  }

  static SessionFactory start(Database database, Map<String, ?> settings, Class<?> entity) {
    Configuration configuration = new Configuration().addAnnotatedClass(entity);
    configuration.getProperties().putAll(Connections.to(database));
    configuration.getProperties().putAll(settings);
    return configuration.buildSessionFactory();
  }

  /** The names of all tables of the database, in lower case. */
  static Set<String> tables(Database database) {
    try (Connection connection = database.connect();
        ResultSet rows =
            connection
                .getMetaData()
                .getTables(
                    connection.getCatalog(),
                    connection.getSchema(),
                    "%",
                    new String[] {"TABLE", "BASE TABLE"})) {
      Set<String> tables = new TreeSet<>();
      while (rows.next()) {
        tables.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
      return tables;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static long count(Database database, String table) {
    try (Connection connection = database.connect();
        var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
