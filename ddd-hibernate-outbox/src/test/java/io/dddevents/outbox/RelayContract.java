// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.Publication;
import io.dddevents.PublishResult.Outcome;
import io.dddevents.RetryPolicy;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a relay must do on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RelayContract {

  static final RelayConfig QUICK =
      RelayConfig.defaults()
          .withInterval(Duration.ofMillis(20))
          .withSweep(Duration.ofMillis(10))
          .withRetention(Duration.ZERO)
          .withRetry(RetryPolicy.fixed(Duration.ofMillis(1), 3));

  private final Database database;
  private final List<OutboxRelay> relays = new ArrayList<>();
  private RecordingPublisher broker = new RecordingPublisher();
  private OutboxRows rows;

  RelayContract(Database database) {
    this.database = database;
  }

  @BeforeAll
  void createTables() throws SQLException {
    rows = new OutboxRows(database);
  }

  @BeforeEach
  void empty() {
    broker = new RecordingPublisher();
    rows.clear();
  }

  @AfterEach
  void closeRelays() {
    broker.release(Outcome.CONFIRMED);
    relays.forEach(OutboxRelay::close);
    relays.clear();
  }

  @AfterAll
  void drop() {
    database.close();
  }

  OutboxRelay relay(RelayConfig config) {
    return relay(config, broker);
  }

  private OutboxRelay relay(RelayConfig config, RecordingPublisher publisher) {
    OutboxRelay relay =
        OutboxRelay.builder(database.dataSource(), publisher).config(config).build();
    relays.add(relay);
    return relay;
  }

  @Test
  void whatIsCommittedIsPublishedInOrderAndThenGone() throws Exception {
    rows.store("A", "1", "a1", "a2", "a3");
    rows.store("B", "1", "b1");
    relay(QUICK).runOnce();
    assertThat(broker.published()).containsExactlyInAnyOrder("a1", "a2", "a3", "b1");
    assertThat(broker.published()).containsSubsequence("a1", "a2", "a3");
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.count("outbox_archive")).isZero();
  }

  @Test
  void theEnvelopeIsTheOneThatWasStored() throws Exception {
    rows.store("A", "1", "a1");
    relay(QUICK).runOnce();
    Publication publication = broker.publications().get(0);
    assertThat(publication.attempt()).isEqualTo(1);
    assertThat(publication.position()).isPositive();
    assertThat(publication.envelope().sha256()).isEqualTo(rows.last().sha256());
  }

  @Test
  void withARetentionPublishedEventsStayInTheArchive() throws Exception {
    rows.store("A", "1", "a1", "a2");
    relay(QUICK.withRetention(Duration.ofDays(7))).runOnce();
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.texts("select status from outbox_archive"))
        .containsExactly("PROCESSED", "PROCESSED");
    assertThat(rows.texts("select status from outbox_all"))
        .containsExactly("PROCESSED", "PROCESSED");
  }

  @Test
  void moreThanOneBatchIsPublishedInOnePass() throws Exception {
    for (int i = 0; i < 230; i++) {
      rows.store("A", Integer.toString(i % 7), "e" + i);
    }
    relay(QUICK.withBatchSize(10).withWindow(15)).runOnce();
    assertThat(broker.published()).hasSize(230).doesNotHaveDuplicates();
    assertThat(rows.count("outbox_event")).isZero();
  }

  @Test
  void oneAggregateWithVeryManyEventsKeepsItsOrderAndStopsNobody() throws Exception {
    List<String> hot = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      hot.add(String.format("hot%04d", i));
    }
    rows.store("Hot", "1", hot.toArray(String[]::new));
    rows.store("Cool", "1", "cool");
    relay(QUICK.withBatchSize(50)).runOnce();
    assertThat(broker.published()).contains("cool").hasSize(901);
    assertThat(broker.published().stream().filter(what -> what.startsWith("hot")))
        .containsExactlyElementsOf(hot);
  }

  @Test
  void pipelinedEventsOfOneAggregateKeepTheirOrderToo() throws Exception {
    List<String> hot = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      hot.add(String.format("hot%04d", i));
    }
    rows.store("Hot", "1", hot.toArray(String[]::new));
    relay(QUICK.withBatchSize(50).withOrder(RelayConfig.Order.PIPELINED)).runOnce();
    assertThat(broker.published()).containsExactlyElementsOf(hot);
  }

  @Test
  void anEventWaitsForTheConfirmOfTheOneBeforeIt() throws Exception {
    rows.store("A", "1", "a1", "a2");
    rows.store("B", "1", "b1");
    broker.hold();
    OutboxRelay relay = relay(QUICK);
    relay.start();
    Await.until("both heads are out", Duration.ofSeconds(10), () -> broker.published().size() == 2);
    assertThat(broker.published()).containsExactlyInAnyOrder("a1", "b1");
    broker.release(Outcome.CONFIRMED);
    assertThat(relay.drain(Duration.ofSeconds(10))).isTrue();
    assertThat(broker.published()).hasSize(3).endsWith("a2");
  }

  @Test
  void aRefusedEventIsTriedAgainAndThenFailsAndHoldsBackOnlyItsAggregate() throws Exception {
    rows.store("A", "1", "a1", "poison", "a3");
    rows.store("B", "1", "b1", "b2");
    broker.answer(
        publication ->
            RecordingPublisher.what(publication).equals("poison")
                ? Outcome.UNROUTABLE
                : Outcome.CONFIRMED);
    OutboxRelay relay = relay(QUICK);
    relay.start();
    Await.until(
        "the event has failed",
        Duration.ofSeconds(10),
        () -> rows.count("outbox_failed") == 1 && rows.count("outbox_event") == 1);
    assertThat(broker.published())
        .containsExactlyInAnyOrder("a1", "poison", "poison", "poison", "b1", "b2");
    assertThat(rows.texts("select cause from outbox_failed")).containsExactly("UNROUTABLE");
    assertThat(rows.texts("select cast(attempts as char(1)) from outbox_failed"))
        .containsExactly("3");
    assertThat(rows.texts("select first_error from outbox_failed"))
        .containsExactly("UNROUTABLE: as told");
    assertThat(relay.statistics().failed()).isEqualTo(1);
  }

  @Test
  void anOperatorsRetryComesBeforeWhatItHeldBack() throws Exception {
    rows.store("A", "1", "poison", "a2", "a3");
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 1)));
    relay.runOnce();
    rows.store("A", "1", "a4");
    relay.runOnce();
    assertThat(broker.published()).containsExactly("poison");
    broker.answer(publication -> Outcome.CONFIRMED);
    rows.retryFailed();
    Await.until(
        "all went out",
        Duration.ofSeconds(10),
        () -> {
          relay.runOnce();
          return rows.count("outbox_event") == 0;
        });
    assertThat(broker.published()).containsExactly("poison", "poison", "a2", "a3", "a4");
  }

  @Test
  void aTypeWhoseFailureIsSkippedHoldsNothingBack() throws Exception {
    rows.store("A", "1", "poison", "a2");
    broker.answer(
        publication ->
            RecordingPublisher.what(publication).equals("poison")
                ? Outcome.REFUSED
                : Outcome.CONFIRMED);
    relay(
            QUICK
                .withRetry(RetryPolicy.fixed(Duration.ZERO, 1))
                .withSkipFailed(Set.of("test.happened")))
        .runOnce();
    assertThat(broker.published()).containsExactly("poison", "a2");
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.count("outbox_failed")).isEqualTo(1);
  }

  @Test
  void anotherRelayKnowsWhatIsHeldBack() throws Exception {
    rows.store("A", "1", "poison", "a2");
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay first = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 1)));
    first.runOnce();
    first.close();
    broker.answer(publication -> Outcome.CONFIRMED);
    relay(QUICK).runOnce();
    assertThat(broker.published()).containsExactly("poison");
  }

  @Test
  void anOutageConsumesNoAttemptAndLosesNothing() throws Exception {
    rows.store("A", "1", "a1", "a2");
    rows.store("B", "1", "b1");
    broker.answer(publication -> Outcome.UNKNOWN);
    OutboxRelay relay = relay(QUICK);
    relay.start();
    Await.until(
        "it was tried several times", Duration.ofSeconds(20), () -> broker.published().size() >= 6);
    assertThat(rows.texts("select cast(max(attempts) as char(1)) from outbox_event"))
        .containsExactly("0");
    broker.answer(publication -> Outcome.CONFIRMED);
    assertThat(relay.drain(Duration.ofSeconds(20))).isTrue();
    assertThat(rows.count("outbox_failed")).isZero();
    assertThat(broker.publications()).allMatch(publication -> publication.attempt() == 1);
    assertThat(broker.published()).containsSubsequence("a1", "a2");
    int firstA2 = broker.published().indexOf("a2");
    assertThat(broker.published().subList(firstA2, broker.published().size())).doesNotContain("a1");
  }

  @Test
  void aDamagedRowFailsAtOnceAndIsNotPublished() throws Exception {
    rows.store("A", "1", "a1");
    rows.store("B", "1", "b1");
    rows.damage("A");
    relay(QUICK).runOnce();
    assertThat(broker.published()).containsExactly("b1");
    assertThat(rows.texts("select cause from outbox_failed")).containsExactly("INTEGRITY");
  }

  @Test
  void whatCommitsLateIsPublishedToo() throws Exception {
    OutboxRelay relay = relay(QUICK);
    try (Connection slow = database.connect()) {
      slow.setAutoCommit(false);
      rows.store(slow, "Slow", "1", "slow");
      rows.store("Fast", "1", "fast");
      relay.runOnce();
      assertThat(broker.published()).containsExactly("fast");
      slow.commit();
    }
    Await.until(
        "the sweep finds it",
        Duration.ofSeconds(10),
        () -> {
          relay.runOnce();
          return broker.published().contains("slow");
        });
    assertThat(rows.count("outbox_event")).isZero();
  }

  /** The sweep is an hour away: this must not depend on it. */
  @Test
  void whatCommitsLateComesBeforeWhatItsAggregateDidAfterwards() throws Exception {
    OutboxRelay relay = relay(QUICK.withSweep(Duration.ofHours(1)));
    relay.runOnce();
    try (Connection slow = database.connect();
        Connection lost = database.connect()) {
      slow.setAutoCommit(false);
      lost.setAutoCommit(false);
      rows.store(slow, "A", "1", "a1", "a2");
      rows.store(lost, "A", "2", "never");
      rows.store("B", "1", "b1");
      relay.runOnce();
      rows.store("B", "1", "b2");
      relay.runOnce();
      assertThat(broker.published()).containsExactly("b1", "b2");
      slow.commit();
      lost.rollback();
    }
    rows.store("A", "1", "a3");
    relay.runOnce();
    assertThat(broker.published()).containsExactly("b1", "b2", "a1", "a2", "a3");
    assertThat(rows.count("outbox_event")).isZero();
  }

  @Test
  void relaysShareTheLanesFairly() throws Exception {
    OutboxRelay first = relay(QUICK);
    OutboxRelay second = relay(QUICK);
    first.runOnce();
    assertThat(rows.lanesOf(first)).isEqualTo(64);
    second.runOnce();
    first.runOnce();
    second.runOnce();
    assertThat(rows.lanesOf(first)).isEqualTo(32);
    assertThat(rows.lanesOf(second)).isEqualTo(32);
    first.close();
    second.runOnce();
    assertThat(rows.lanesOf(second)).isEqualTo(64);
  }

  @Test
  void theLanesOfARelayThatDiedAreTakenAfterItsLease() throws Exception {
    OutboxRelay dead = relay(QUICK);
    dead.runOnce();
    rows.store("A", "1", "a1");
    OutboxRelay heir = relay(QUICK);
    heir.runOnce();
    assertThat(broker.published()).isEmpty();
    rows.expire(dead);
    heir.runOnce();
    assertThat(broker.published()).containsExactly("a1");
  }

  @Test
  void aRelayThatLostItsLeaseChangesNothing() throws Exception {
    rows.store("A", "1", "a1");
    RecordingPublisher slow = new RecordingPublisher();
    slow.hold();
    OutboxRelay frozen = relay(QUICK.withLease(Duration.ofHours(1)), slow);
    frozen.start();
    assertThat(slow.holds().await(10, TimeUnit.SECONDS)).isTrue();
    rows.expire(frozen);
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay heir = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ofHours(1), 3)));
    heir.runOnce();
    assertThat(broker.published()).containsExactly("a1");
    slow.release(Outcome.CONFIRMED);
    Await.until(
        "the late answer is noticed",
        Duration.ofSeconds(10),
        () -> frozen.statistics().lostAnswers() > 0);
    // The heir has put the event off; the frozen relay must not have ended it.
    assertThat(rows.count("outbox_event")).isEqualTo(1);
    assertThat(rows.texts("select cast(attempts as char(1)) from outbox_event"))
        .containsExactly("1");
  }

  @Test
  void aLeaseThatEndsAbsurdlyLateCountsAsExpired() throws Exception {
    rows.store("A", "1", "a1");
    rows.sql("update outbox_lane set locked_by = 'nobody', locked_until = '9999-12-31 00:00:00'");
    relay(QUICK).runOnce();
    assertThat(broker.published()).containsExactly("a1");
  }

  @Test
  void aStopWaitsForOpenConfirmsAndGivesTheLanesBack() throws Exception {
    rows.store("A", "1", "a1");
    broker.hold();
    OutboxRelay relay = relay(QUICK);
    relay.start();
    assertThat(broker.holds().await(10, TimeUnit.SECONDS)).isTrue();
    Thread stop = new Thread(relay::close);
    stop.start();
    broker.release(Outcome.CONFIRMED);
    stop.join(20_000);
    assertThat(stop.isAlive()).isFalse();
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.lanesOf(relay)).isZero();
    assertThat(rows.count("outbox_relay")).isZero();
  }

  @Test
  void aPausedRelayPublishesNothingUntilItGoesOn() throws Exception {
    OutboxRelay relay = relay(QUICK);
    relay.pause();
    relay.start();
    rows.store("A", "1", "a1");
    assertThat(relay.drain(Duration.ofMillis(300))).isFalse();
    assertThat(broker.published()).isEmpty();
    relay.resume();
    assertThat(relay.drain(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void relaysThatComeAndGoKeepEveryAggregateInOrderWithoutDuplicates() throws Exception {
    int events = 3_000;
    Thread writer =
        new Thread(
            () -> {
              try (Connection connection = database.connect()) {
                for (int i = 0; i < events; i++) {
                  String aggregate = i % 10 == 0 ? "hot" : Integer.toString(i % 300);
                  rows.store(connection, "A", aggregate, String.format("%s:%05d", aggregate, i));
                }
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    writer.start();
    for (int turn = 0; turn < 6; turn++) {
      try (OutboxRelay one = relay(QUICK);
          OutboxRelay two = relay(QUICK)) {
        one.start();
        two.start();
        int goal = Math.min(events, (turn + 1) * events / 6);
        Await.until(
            "turn " + turn,
            Duration.ofSeconds(60),
            () -> broker.published().size() >= goal * 9 / 10);
      }
    }
    writer.join();
    OutboxRelay last = relay(QUICK);
    last.start();
    assertThat(last.drain(Duration.ofSeconds(30))).isTrue();
    List<String> all = broker.published();
    assertThat(all).hasSize(events).doesNotHaveDuplicates();
    Map<String, List<String>> byAggregate = new HashMap<>();
    for (String what : all) {
      byAggregate.computeIfAbsent(what.split(":", 2)[0], key -> new ArrayList<>()).add(what);
    }
    assertThat(byAggregate.values()).allSatisfy(each -> assertThat(each).isSorted());
  }
}
