// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Tells a database that is not there from a handler that fails. */
final class Outages {

  private static final int MAX_DEPTH = 50;

  /**
   * PostgreSQL: shut down by an administrator, crashed, starting, too many connections. H2: closed
   * or broken.
   */
  private static final Set<String> STATES =
      Set.of("57P01", "57P02", "57P03", "53300", "90067", "90098", "90121");

  private Outages() {}

  static boolean isOutage(Throwable error) {
    Throwable e = error;
    for (int depth = 0; e != null && depth < MAX_DEPTH; depth++) {
      if (e instanceof SQLTransientConnectionException
          || e instanceof SQLNonTransientConnectionException
          || e instanceof SQLRecoverableException
          || (e instanceof SQLException sql && isOutage(sql.getSQLState()))) {
        return true;
      }
      e = e.getCause();
    }
    return false;
  }

  private static boolean isOutage(String state) {
    return state != null && (state.startsWith("08") || STATES.contains(state));
  }
}
