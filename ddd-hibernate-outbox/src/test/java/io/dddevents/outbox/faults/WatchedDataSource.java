// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * A data source that tells a watcher what is done with its connections, before and after. Tests
 * count with it, and stop or kill a transaction between two of its steps.
 */
public final class WatchedDataSource {

  private static final ClassLoader LOADER = WatchedDataSource.class.getClassLoader();

  private WatchedDataSource() {}

  /** Sees each call that reaches the database. */
  public interface Watcher {

    /** A statement is about to be prepared or executed, or {@code commit} or {@code rollback}. */
    default void before(String method, String sql) throws SQLException {}

    /** It returned normally. */
    default void after(String method, String sql) throws SQLException {}
  }

  /** Every connection is a new one from the source. */
  public static DataSource of(Callable<Connection> source, Watcher watcher) {
    return proxy(
        DataSource.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getConnection" -> watched(source.call(), watcher);
              case "isWrapperFor" -> false;
              case "hashCode" -> System.identityHashCode(self);
              case "equals" -> self == arguments[0];
              case "toString" -> "watched data source";
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  /** The connection, but closing it only rolls back what is open, as a pool does. */
  static Connection keptOpen(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (!method.getName().equals("close")) {
            return invoke(connection, method, arguments);
          }
          if (!connection.isClosed() && !connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
          }
          return null;
        });
  }

  private static Connection watched(Connection connection, Watcher watcher) {
    return proxy(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "prepareStatement" ->
                  watched(
                      PreparedStatement.class,
                      (PreparedStatement)
                          call(watcher, connection, method, arguments, (String) arguments[0]),
                      (String) arguments[0],
                      watcher);
              case "createStatement" ->
                  watched(
                      Statement.class,
                      (Statement) invoke(connection, method, arguments),
                      "",
                      watcher);
              case "commit", "rollback" -> call(watcher, connection, method, arguments, "");
              default -> invoke(connection, method, arguments);
            });
  }

  private static <S extends Statement> S watched(
      Class<S> type, S statement, String prepared, Watcher watcher) {
    return proxy(
        type,
        (self, method, arguments) -> {
          if (!method.getName().startsWith("execute")) {
            return invoke(statement, method, arguments);
          }
          boolean given = arguments != null && arguments.length > 0;
          String sql = given && arguments[0] instanceof String text ? text : prepared;
          return call(watcher, statement, method, arguments, sql);
        });
  }

  private static Object call(
      Watcher watcher, Object target, Method method, Object[] arguments, String sql)
      throws Throwable {
    watcher.before(method.getName(), sql);
    Object result = invoke(target, method, arguments);
    watcher.after(method.getName(), sql);
    return result;
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(LOADER, new Class<?>[] {type}, handler));
  }
}
