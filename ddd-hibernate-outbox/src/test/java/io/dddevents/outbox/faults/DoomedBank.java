// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.faults;

import io.dddevents.testsupport.ChildMain;
import io.dddevents.testsupport.FailPoints;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A bank in a JVM of its own, to be killed. Its fail points are in the data source, so that the
 * code under test knows nothing of them. It prints {@code COMMITTING id} when the commit is called
 * and {@code COMMITTED id} when that has returned.
 */
final class DoomedBank {

  private static final ThreadLocal<String> raised = new ThreadLocal<>();

  private DoomedBank() {}

  public static void main(String[] args) throws Exception {
    Bank bank =
        new Bank(
            Map.of(
                "hibernate.connection.datasource",
                WatchedDataSource.of(
                    new KeptConnections(args[0], args[1], args[2].substring(1)), new Steps())));
    System.out.println("OPEN");
    ChildMain.nextLine();
    for (String name : args[3].split(",", -1)) {
      new Thread(() -> moveForEver(bank, name), name).start();
    }
  }

  private static void moveForEver(Bank bank, String name) {
    for (int i = 0; ; i++) {
      String account = name + "-" + i % 5;
      String what = name + "/" + i;
      bank.work()
          .run(
              () -> {
                List<UUID> ids =
                    Bank.move(bank.work().session(), account, what + "/1", what + "/2");
                raised.set(ids.stream().map(UUID::toString).collect(Collectors.joining(" ")));
              });
      System.out.println("COMMITTED " + raised.get());
      raised.remove();
      FailPoints.reach("committed@" + name);
    }
  }

  private static final class Steps implements WatchedDataSource.Watcher {

    @Override
    public void before(String method, String sql) {
      if (method.equals("commit") && raised.get() != null) {
        reach("committing");
        System.out.println("COMMITTING " + raised.get());
      }
    }

    @Override
    public void after(String method, String sql) {
      if (method.startsWith("execute") && sql.startsWith("insert into outbox_event")) {
        reach("stored");
      }
    }

    private static void reach(String step) {
      FailPoints.reach(step + "@" + Thread.currentThread().getName());
    }
  }
}
