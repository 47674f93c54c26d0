// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.cost;

import io.dddevents.outbox.faults.WatchedDataSource;
import java.util.ArrayList;
import java.util.List;

/** Writes down each call that reaches the database. */
final class Calls implements WatchedDataSource.Watcher {

  private final List<String> calls = new ArrayList<>();

  @Override
  public void before(String method, String sql) {
    calls.add((method + " " + sql).strip());
  }

  /** What was called since the last time. */
  List<String> take() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  /** Those of them that concern the tables of the outbox. */
  static List<String> ofOutbox(List<String> calls) {
    return calls.stream()
        .filter(call -> call.contains("outbox_"))
        .map(call -> call.replaceAll("(?s)^(\\w+) (insert|select).*?(outbox_\\w+).*", "$1 $2 $3"))
        .toList();
  }

  static List<String> executionsOf(List<String> outboxCalls) {
    return outboxCalls.stream().filter(call -> call.startsWith("execute")).toList();
  }
}
