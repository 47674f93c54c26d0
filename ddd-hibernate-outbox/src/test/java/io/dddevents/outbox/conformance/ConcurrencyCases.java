// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.outbox.conformance.Harness.Row;
import io.dddevents.outbox.domain.Ord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sessions do not mix. */
public interface ConcurrencyCases extends CaptureSuite {

  @Test
  default void sixteenSessionsAtOnceStoreEachItsOwnEventsAndNothingElse() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Future<List<String>>> expected = new ArrayList<>();
      for (int thread = 0; thread < 16; thread++) {
        int number = thread;
        expected.add(threads.submit(() -> commitAndRollBack(number)));
      }
      List<String> all = new ArrayList<>();
      for (Future<List<String>> each : expected) {
        all.addAll(each.get(120, TimeUnit.SECONDS));
      }
      List<Row> rows = harness().rows();
      assertThat(rows).extracting(Row::what).containsExactlyInAnyOrderElementsOf(all);
      Map<String, List<String>> byAggregate =
          rows.stream()
              .collect(
                  Collectors.groupingBy(
                      Row::aggregateId, Collectors.mapping(Row::what, Collectors.toList())));
      assertThat(byAggregate.values()).allSatisfy(events -> assertThat(events).isSorted());
    } finally {
      threads.shutdownNow();
    }
  }

  private List<String> commitAndRollBack(int thread) {
    List<String> committed = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String tag = String.format("%02d-%03d", thread, i);
      if (i % 5 == 4) {
        harness().rollback(session -> raise(session, tag + "-lost"));
      } else {
        harness().commit(session -> raise(session, tag));
        committed.add(tag + "-1");
        committed.add(tag + "-2");
      }
    }
    return committed;
  }

  private static void raise(org.hibernate.Session session, String tag) {
    Ord order = new Ord(tag);
    order.happen(tag + "-1");
    session.persist(order);
    session.flush();
    order.happen(tag + "-2");
  }
}
