// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.dddevents.PublishResult.Outcome;
import io.dddevents.RetryPolicy;
import io.dddevents.outbox.OutboxHealth.Status;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator sees, and what is removed, on every database. */
@ExtendWith(LeakGuard.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UpkeepContract {

  private static final RelayConfig QUICK =
      RelayConfig.defaults()
          .withInterval(Duration.ofMillis(50))
          .withSweep(Duration.ofMillis(50))
          .withRetention(Duration.ofDays(7))
          .withRetry(RetryPolicy.fixed(Duration.ofMillis(1), 3));

  private final Database database;
  private final List<OutboxRelay> relays = new ArrayList<>();
  private RecordingPublisher broker = new RecordingPublisher();
  private OutboxRows rows;

  UpkeepContract(Database database) {
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
    rows.sql("delete from outbox_dedupe", "delete from inbox_message");
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

  private OutboxRelay relay(RelayConfig config) {
    OutboxRelay relay = OutboxRelay.builder(database.dataSource(), broker).config(config).build();
    relays.add(relay);
    return relay;
  }

  private void handled(int messages, String receivedAt) throws SQLException {
    try (Connection connection = database.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into inbox_message (consumer, message_id, sha256, received_at)"
                    + " values ('c', ?, ?, '"
                    + receivedAt
                    + "')")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < messages; i++) {
        insert.setString(1, UUID.randomUUID().toString());
        insert.setBytes(2, new byte[32]);
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    }
  }

  private void keyUsed(String key, String createdAt) throws SQLException {
    try (Connection connection = database.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into outbox_dedupe (event_type, dedupe_key, event_id, created_at)"
                    + " values ('t', ?, ?, '"
                    + createdAt
                    + "')")) {
      SqlDialect dialect = SqlDialect.of(connection.getMetaData());
      dialect.bindKey(insert, 1, key);
      dialect.bindUuid(insert, 2, UUID.randomUUID());
      insert.executeUpdate();
    }
  }

  private Purge purge() throws SQLException {
    try (Connection connection = database.connect()) {
      SqlDialect dialect = SqlDialect.of(connection.getMetaData());
      return new Purge(
          dialect, OutboxNames.defaults(), RelayConfig.defaults(), database.dataSource());
    }
  }

  @Test
  void aPurgeRemovesWhatIsOldAndOnlyThat() throws Exception {
    rows.store("A", "1", "old", "young");
    relay(QUICK).runOnce();
    rows.sql(
        "update outbox_archive set ended_at = '2020-01-01 00:00:00' where id ="
            + " (select m from (select min(id) as m from outbox_archive) x)");
    keyUsed("old", "2020-01-01 00:00:00");
    keyUsed("young", "2100-01-01 00:00:00");
    handled(2, "2020-01-01 00:00:00");
    handled(3, "2100-01-01 00:00:00");
    try (Purge purge = purge()) {
      assertThat(purge.run().rows()).isEqualTo(4);
      assertThat(purge.run().rows()).isZero();
    }
    assertThat(rows.count("outbox_archive")).isEqualTo(1);
    assertThat(rows.count("outbox_dedupe")).isEqualTo(1);
    assertThat(rows.count("inbox_message")).isEqualTo(3);
  }

  @Test
  void aPurgeOfManyRowsIsManySmallTransactions() throws Exception {
    handled(3_500, "2020-01-01 00:00:00");
    try (Purge purge = purge()) {
      Purge.Purged purged = purge.run();
      assertThat(purged.rows()).isEqualTo(3_500);
      assertThat(purged.largest()).isLessThanOrEqualTo(1_000);
      assertThat(purged.batches()).isGreaterThanOrEqualTo(4);
    }
    assertThat(rows.count("inbox_message")).isZero();
  }

  @Test
  void aPurgeThatIsStoppedRemovesNothingMore() throws Exception {
    handled(10, "2020-01-01 00:00:00");
    try (Purge purge = purge()) {
      purge.stop();
      assertThat(purge.run().rows()).isZero();
    }
    assertThat(rows.count("inbox_message")).isEqualTo(10);
  }

  @Test
  void aRelayPurgesByItself() throws Exception {
    handled(10, "2020-01-01 00:00:00");
    OutboxRelay relay = relay(QUICK.withPurgeInterval(Duration.ofSeconds(1)));
    relay.start();
    Await.until(
        "the old rows are gone",
        Duration.ofSeconds(20),
        () -> rows.count("inbox_message") == 0 && relay.counters().purgedCount() == 10);
  }

  @Test
  void aRelayThatWorksIsUp() throws Exception {
    OutboxRelay relay = relay(QUICK);
    relay.start();
    rows.store("A", "1", "a1");
    assertThat(relay.drain(Duration.ofSeconds(20))).isTrue();
    Await.until("it is up", Duration.ofSeconds(20), () -> relay.health().status() == Status.UP);
    assertThat(relay.health().reasons()).isEmpty();
    assertThat(relay.health().lanes()).isEqualTo(64);
  }

  @Test
  void aRelayThatWasNotStartedOrIsClosedIsDown() {
    OutboxRelay relay = relay(QUICK);
    assertThat(relay.health().reasons()).contains("the relay was not started");
    relay.close();
    assertThat(relay.health().status()).isEqualTo(Status.DOWN);
    assertThat(relay.health().reasons()).contains("the relay is closed");
  }

  @Test
  void anEventThatCouldBePublishedAndIsNotIsStuck() {
    rows.store("A", "1", "a1");
    rows.sql("update outbox_event set created_at = '2020-01-01 00:00:00'");
    OutboxHealth health = relay(QUICK).health();
    assertThat(health.status()).isEqualTo(Status.DOWN);
    assertThat(health.reasons()).anyMatch(reason -> reason.startsWith("an event is stuck"));
    assertThat(health.reasons()).anyMatch(reason -> reason.startsWith("the lag is"));
    assertThat(health.lag().orElseThrow()).isGreaterThan(Duration.ofDays(365));
  }

  @Test
  void anEventThatWaitsForItsRetryIsNotStuck() {
    rows.store("A", "1", "a1");
    rows.sql(
        "update outbox_event set created_at = '2020-01-01 00:00:00',"
            + " next_attempt_at = '2100-01-01 00:00:00'");
    OutboxHealth health = relay(QUICK).health();
    assertThat(health.reasons()).noneMatch(reason -> reason.contains("stuck"));
    assertThat(health.reasons()).anyMatch(reason -> reason.startsWith("the lag is"));
  }

  @Test
  void anEventThatAFailedOneHoldsBackIsNotStuck() throws Exception {
    rows.store("A", "1", "poison", "a2");
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 1)));
    relay.runOnce();
    rows.sql("update outbox_event set created_at = '2020-01-01 00:00:00'");
    assertThat(relay.health().reasons()).noneMatch(reason -> reason.contains("stuck"));
    assertThat(relay.measures().atMost(Duration.ZERO))
        .satisfies(
            counts -> {
              assertThat(counts.failed()).isEqualTo(1);
              assertThat(counts.pending()).isEqualTo(1);
            });
  }

  @Test
  void aBrokerThatIsDownDegradesAndNothingIsStuckByIt() {
    rows.store("A", "1", "a1");
    rows.sql("update outbox_event set created_at = '2020-01-01 00:00:00'");
    broker.answer(publication -> Outcome.UNKNOWN);
    OutboxRelay relay = relay(QUICK);
    relay.start();
    Await.until(
        "the broker is known to be down",
        Duration.ofSeconds(20),
        () -> relay.health().reasons().contains("the broker cannot be reached; events wait"));
    assertThat(relay.health().status()).isEqualTo(Status.DEGRADED);
    assertThat(relay.health().reasons()).noneMatch(reason -> reason.contains("stuck"));
  }

  @Test
  void manyFailuresWithinAMinuteDegrade() throws Exception {
    for (int i = 0; i < 11; i++) {
      rows.store("A", Integer.toString(i), "poison");
    }
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 1)));
    relay.runOnce();
    assertThat(relay.health().failuresPerMinute()).isEqualTo(11);
    assertThat(relay.health().status()).isEqualTo(Status.DEGRADED);
    assertThat(relay.health().reasons())
        .contains("11 attempts failed within a minute, the limit is 10");
  }

  @Test
  void aPausedRelayIsDegraded() {
    OutboxRelay relay = relay(QUICK);
    relay.pause();
    relay.start();
    assertThat(relay.health().reasons()).contains("the relay is paused");
  }

  @Test
  void theMetersTellWhatHappened() throws Exception {
    OutboxRelay dead = relay(QUICK);
    dead.runOnce();
    rows.expire(dead);
    rows.store("A", "1", "a1", "a2");
    rows.store("B", "1", "poison", "b2");
    rows.store("C", "1", "c1");
    rows.damage("C");
    broker.answer(
        publication ->
            RecordingPublisher.what(publication).equals("poison")
                ? Outcome.NACKED
                : Outcome.CONFIRMED);
    OutboxRelay relay = relay(QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 2)));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new OutboxMetrics(relay, Duration.ZERO).bindTo(registry);
    relay.runOnce();
    Await.until(
        "all is done that can be",
        Duration.ofSeconds(20),
        () -> {
          relay.runOnce();
          return rows.count("outbox_failed") == 2;
        });
    assertThat(registry.get("outbox.processed.count").functionCounter().count()).isEqualTo(2);
    assertThat(registry.get("outbox.attempts").functionCounter().count()).isEqualTo(4);
    assertThat(registry.get("outbox.failed.count").functionCounter().count()).isEqualTo(3);
    assertThat(registry.get("outbox.integrity.failure.count").functionCounter().count())
        .isEqualTo(1);
    assertThat(registry.get("outbox.stalled.recovered.count").functionCounter().count())
        .isEqualTo(64);
    assertThat(registry.get("outbox.pending.count").gauge().value()).isEqualTo(1);
    assertThat(registry.get("outbox.dlq.count").gauge().value()).isEqualTo(2);
    assertThat(registry.get("outbox.lag.seconds").gauge().value()).isBetween(0.0, 600.0);
    assertThat(registry.get("outbox.relay.publish").functionTimer().count()).isEqualTo(4);
    assertThat(registry.get("outbox.relay.lanes").gauge().value()).isEqualTo(64);
    assertThat(registry.get("outbox.relay.broker.up").gauge().value()).isEqualTo(1);
    assertThat(registry.get("outbox.relay.last.pass.age").timeGauge().value()).isPositive();
    assertThat(registry.getMeters()).allMatch(m -> "relay".equals(m.getId().getTag("relay")));
  }
}
