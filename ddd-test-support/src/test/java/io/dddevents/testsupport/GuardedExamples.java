// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Test classes that the tests of the guards run; not found by the build by their names. */
final class GuardedExamples {
  private static final Logger log = LoggerFactory.getLogger("pond");

  private GuardedExamples() {}

  @ExtendWith(LogGuard.class)
  static final class Logging {
    @Test
    void quiet() {
      log.info("all is well");
    }

    @Test
    void unexpected() {
      log.warn("the {} is leaking", "pond");
    }

    @Test
    @ExpectLog(value = Level.ERROR, logger = "^pond$", message = "heron")
    void expected() {
      log.error("a heron");
    }

    @Test
    @ExpectLog(value = Level.WARN, message = "heron")
    void otherThanExpected() {
      log.error("a heron");
    }

    @Test
    @ExpectLog(Level.WARN)
    void expectedButSilent() {}

    @Test
    @ExpectLog(value = Level.WARN, required = false)
    void optional() {}
  }

  @ExtendWith(LogGuard.class)
  @ExpectLog(value = Level.WARN, message = "once")
  static final class ClassWide {
    @Test
    void logs() {
      log.warn("once");
    }

    @Test
    void isSilent() {}
  }

  @ExtendWith(LogGuard.class)
  @ExpectLog(value = Level.WARN, message = "never")
  static final class ClassWideSilent {
    @Test
    void isSilent() {}
  }

  @ExtendWith(LeakGuard.class)
  static final class Tidy {
    @Test
    void closes() throws SQLException {
      try (Database database = Database.h2();
          TcpProxy proxy = TcpProxy.to(1)) {
        database.connect().close();
        proxy.mode(TcpProxy.Mode.HOLD);
      }
    }
  }

  @ExtendWith(LeakGuard.class)
  static final class Leaky {
    static final Database database = Database.h2();
    static final Database closed = Database.h2();
    static final TcpProxy proxy = TcpProxy.to(1);
    static final Thread thread = new Thread(Leaky::idle, "frog-thread");
    static final Thread ours = new Thread(Leaky::idle, "ddd-thread");

    @Test
    void leaks() throws SQLException {
      thread.start();
      ours.setDaemon(true);
      ours.start();
      database.connect();
      closed.connect();
      closed.close();
      LeakGuardTest.child = ChildJvm.of(ReaperTest.Idler.class).start();
    }

    private static void idle() {
      try {
        Thread.currentThread().join();
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
