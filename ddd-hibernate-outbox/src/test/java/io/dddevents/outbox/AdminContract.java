// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.PublishResult.Outcome;
import io.dddevents.RetryPolicy;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What operators can rely on, on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AdminContract {

  private static final Operator ANN = new Operator("ann", "queue was missing");
  private static final Operator BOB = new Operator("bob", "me too");
  private static final EventFilter ALL = EventFilter.any();
  private static final RelayConfig ONE_ATTEMPT =
      RelayContract.QUICK
          .withRetention(Duration.ofDays(7))
          .withRetry(RetryPolicy.fixed(Duration.ZERO, 1));
  private static final List<String> INJECTIONS =
      List.of(
          "' or 1=1 --", "'; drop table outbox_audit; --", "\" or \"\"=\"", "\\' or 1=1 #", "%");

  private final Database database;
  private final List<OutboxRelay> relays = new ArrayList<>();
  private RecordingPublisher broker = new RecordingPublisher();
  private OutboxRows rows;
  private OutboxAdmin admin;

  AdminContract(Database database) {
    this.database = database;
  }

  @BeforeAll
  void createTables() throws SQLException {
    rows = new OutboxRows(database);
    admin = OutboxAdmin.of(database.dataSource());
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

  private OutboxRelay relay() {
    OutboxRelay relay =
        OutboxRelay.builder(database.dataSource(), broker).config(ONE_ATTEMPT).build();
    relays.add(relay);
    return relay;
  }

  /** So many Failed events, each of an aggregate of its own. */
  private void fail(String type, int many) throws SQLException {
    for (int i = 0; i < many; i++) {
      rows.store(type, type + i, type + i);
    }
    broker.answer(publication -> Outcome.NACKED);
    try (OutboxRelay relay =
        OutboxRelay.builder(database.dataSource(), broker).config(ONE_ATTEMPT).build()) {
      relay.runOnce();
    }
    broker.answer(publication -> Outcome.CONFIRMED);
  }

  /** Processed events in the archive. */
  private void process(String... texts) throws SQLException {
    rows.store("P", "1", texts);
    try (OutboxRelay relay =
        OutboxRelay.builder(database.dataSource(), broker).config(ONE_ATTEMPT).build()) {
      relay.runOnce();
    }
  }

  private UUID failed() {
    return admin
        .list(EventFilter.builder().status(EventStatus.FAILED).build(), 0, 1)
        .events()
        .get(0)
        .eventId();
  }

  private List<String> audit() {
    return rows.texts(
        "select concat(actor, '|', action, '|', result) from outbox_audit order by id");
  }

  @Test
  void countsTellTheEventsOfEachStatus() throws Exception {
    fail("F", 3);
    process("p1", "p2");
    assertThat(admin.discard(failed(), ANN).isDone()).isTrue();
    rows.store("W", "1", "w1");
    assertThat(admin.counts())
        .containsEntry(EventStatus.PENDING, 1L)
        .containsEntry(EventStatus.PROCESSING, 0L)
        .containsEntry(EventStatus.PROCESSED, 2L)
        .containsEntry(EventStatus.FAILED, 2L)
        .containsEntry(EventStatus.DISCARDED, 1L);
  }

  @Test
  void anEventThatARelayHasReadIsProcessing() {
    rows.store("W", "1", "w1");
    rows.sql(
        "update outbox_lane set locked_by = 'x', read_up_to = 9000000000000,"
            + " locked_until = '2999-01-01 00:00:00'");
    assertThat(admin.counts()).containsEntry(EventStatus.PROCESSING, 1L);
    EventFilter processing = EventFilter.builder().status(EventStatus.PROCESSING).build();
    assertThat(admin.list(processing, 0, 10).events()).hasSize(1);
    EventFilter pending = EventFilter.builder().status(EventStatus.PENDING).build();
    assertThat(admin.list(pending, 0, 10).events()).isEmpty();
  }

  @Test
  void lagIsTheAgeOfTheOldestUnpublishedEvent() throws Exception {
    fail("F", 1);
    assertThat(admin.lag()).isEmpty();
    rows.store("W", "1", "w1");
    rows.store("W", "1", "w2");
    assertThat(admin.lag().orElseThrow()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
    rows.sql("update outbox_event set created_at = '2020-01-01 00:00:00'");
    assertThat(admin.lag().orElseThrow()).isGreaterThan(Duration.ofDays(2000));
  }

  @Test
  void pagesFollowOneAnotherWithoutGapOrRepetition() throws Exception {
    fail("F", 5);
    process("p1", "p2");
    rows.store("W", "1", "w1", "w2", "w3");
    List<Long> seen = new ArrayList<>();
    EventPage page = admin.list(ALL, 0, 3);
    page.events().forEach(event -> seen.add(event.position()));
    while (page.next().isPresent()) {
      page = admin.list(ALL, page.next().getAsLong(), 3);
      assertThat(page.events()).hasSizeLessThanOrEqualTo(3);
      page.events().forEach(event -> seen.add(event.position()));
    }
    assertThat(seen).hasSize(10).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void theSizeOfAPageIsClamped() {
    String[] texts = new String[205];
    java.util.Arrays.setAll(texts, i -> "w" + i);
    rows.store("W", "1", texts);
    assertThat(admin.list(ALL, 0, 1_000_000_000).events()).hasSize(200);
    assertThat(admin.list(ALL, 0, -1).events()).hasSize(1);
    assertThat(admin.list(ALL, 1_000_000_000_000L, 10).events()).isEmpty();
  }

  @Test
  void filtersFindWhatTheySay() throws Exception {
    fail("F", 2);
    rows.store("W", "7", "w1");
    assertThat(count(EventFilter.builder().aggregateType("W"))).isEqualTo(1);
    assertThat(count(EventFilter.builder().aggregateId("F1"))).isEqualTo(1);
    assertThat(count(EventFilter.builder().type("test.happened"))).isEqualTo(3);
    assertThat(count(EventFilter.builder().type("other"))).isZero();
    assertThat(count(EventFilter.builder().cause("NACKED"))).isEqualTo(2);
    assertThat(count(EventFilter.builder().cause("REFUSED"))).isZero();
    assertThat(count(EventFilter.builder().tenant("t"))).isZero();
    assertThat(count(EventFilter.builder().status(EventStatus.PENDING).cause("NACKED"))).isZero();
    Instant old = Instant.parse("2020-01-01T00:00:00Z");
    Instant late = Instant.parse("2099-01-01T00:00:00Z");
    assertThat(count(EventFilter.builder().failedBetween(old, late))).isEqualTo(2);
    assertThat(count(EventFilter.builder().failedBetween(old, old.plusSeconds(1)))).isZero();
    assertThat(count(EventFilter.builder().createdBetween(old, late))).isEqualTo(3);
    assertThat(count(EventFilter.builder().createdBetween(late, late))).isZero();
  }

  private int count(EventFilter.Builder filter) {
    return admin.list(filter.build(), 0, 200).events().size();
  }

  @Test
  void textsInFiltersAreNeverSql() throws Exception {
    fail("F", 2);
    for (String text : INJECTIONS) {
      for (EventFilter.Builder filter :
          List.of(
              EventFilter.builder().type(text),
              EventFilter.builder().cause(text),
              EventFilter.builder().aggregateType(text),
              EventFilter.builder().aggregateId(text),
              EventFilter.builder().tenant(text))) {
        assertThat(count(filter)).isZero();
        assertThat(admin.failures(filter.build())).isEmpty();
        assertThat(admin.retry(filter.build(), Bulk.all(), new Operator(text, text)).done())
            .isZero();
        assertThat(admin.discard(filter.build(), Bulk.all(), ANN).done()).isZero();
      }
      assertThat(admin.releaseRelay(text, ANN)).isEmpty();
    }
    assertThat(rows.count("outbox_failed")).isEqualTo(2);
    assertThat(rows.texts("select actor from outbox_audit")).containsAll(INJECTIONS);
  }

  @Test
  void showTellsEverythingAndIsAudited() throws Exception {
    rows.store("W", "7", "secret");
    UUID id = rows.last().id();
    EventDetails details = admin.show(id, ANN).orElseThrow();
    assertThat(new String(details.payload(), StandardCharsets.UTF_8)).isEqualTo("secret");
    assertThat(details.sha256()).isEqualTo(rows.last().sha256());
    assertThat(details.summary().status()).isEqualTo(EventStatus.PENDING);
    assertThat(details.toString()).doesNotContain("secret");
    assertThat(admin.show(UUID.randomUUID(), BOB)).isEmpty();
    assertThat(audit()).containsExactly("ann|SHOW|DONE", "bob|SHOW|NOT_FOUND");
  }

  @Test
  void failuresAreGroupedByCauseAndType() throws Exception {
    fail("F", 3);
    rows.store("D", "1", "d1");
    rows.damage("D");
    try (OutboxRelay relay =
        OutboxRelay.builder(database.dataSource(), broker).config(ONE_ATTEMPT).build()) {
      relay.runOnce();
    }
    List<FailureGroup> groups = admin.failures(ALL);
    assertThat(groups).extracting(FailureGroup::cause).containsExactly("NACKED", "INTEGRITY");
    assertThat(groups).extracting(FailureGroup::count).containsExactly(3L, 1L);
    assertThat(groups.get(0).firstFailedAt()).isBeforeOrEqualTo(groups.get(0).lastFailedAt());
  }

  @Test
  void aRetriedEventKeepsItsPositionAndStartsAnew() throws Exception {
    fail("F", 1);
    EventSummary before = admin.find(failed()).orElseThrow();
    assertThat(admin.retry(before.eventId(), ANN).isDone()).isTrue();
    EventSummary after = admin.find(before.eventId()).orElseThrow();
    assertThat(after.status()).isEqualTo(EventStatus.PENDING);
    assertThat(after.position()).isEqualTo(before.position());
    assertThat(after.createdAt()).isEqualTo(before.createdAt());
    assertThat(after.attempts()).isZero();
    assertThat(admin.counts()).containsEntry(EventStatus.FAILED, 0L);
    assertThat(audit()).containsExactly("ann|RETRY|DONE");
    assertThat(
            rows.texts(
                "select concat(target, '|', reason, '|', state_before, '|', state_after) from"
                    + " outbox_audit"))
        .containsExactly(
            before.eventId()
                + "|queue was missing|FAILED cause=NACKED attempts=1|PENDING attempts=0");
  }

  @Test
  void whatCannotBeDoneIsSaidAndAudited() throws Exception {
    UUID unknown = UUID.randomUUID();
    assertThat(admin.retry(unknown, ANN).outcome()).isEqualTo(AdminResult.Outcome.NOT_FOUND);
    rows.store("W", "1", "w1");
    UUID pending = rows.last().id();
    assertThat(admin.retry(pending, ANN).outcome()).isEqualTo(AdminResult.Outcome.NOT_FAILED);
    assertThat(admin.discard(pending, ANN).outcome()).isEqualTo(AdminResult.Outcome.NOT_FAILED);
    fail("F", 2);
    UUID retried = failed();
    assertThat(admin.retry(retried, ANN).isDone()).isTrue();
    assertThat(admin.retry(retried, BOB).outcome()).isEqualTo(AdminResult.Outcome.ALREADY_RETRIED);
    UUID discarded = failed();
    assertThat(admin.discard(discarded, ANN).isDone()).isTrue();
    assertThat(admin.retry(discarded, BOB).outcome())
        .isEqualTo(AdminResult.Outcome.ALREADY_DISCARDED);
    assertThat(audit())
        .containsExactly(
            "ann|RETRY|NOT_FOUND",
            "ann|RETRY|NOT_FAILED",
            "ann|DISCARD|NOT_FAILED",
            "ann|RETRY|DONE",
            "bob|RETRY|ALREADY_RETRIED",
            "ann|DISCARD|DONE",
            "bob|RETRY|ALREADY_DISCARDED");
  }

  @Test
  void ofTwoOperatorsWhoRetryTheSameEventOneWins() throws Exception {
    fail("F", 10);
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 10; i++) {
        UUID id = failed();
        CyclicBarrier start = new CyclicBarrier(2);
        List<Future<AdminResult.Outcome>> both = new ArrayList<>();
        for (Operator operator : List.of(ANN, BOB)) {
          both.add(
              two.submit(
                  () -> {
                    start.await();
                    return admin.retry(id, operator).outcome();
                  }));
        }
        assertThat(List.of(both.get(0).get(), both.get(1).get()))
            .containsExactlyInAnyOrder(
                AdminResult.Outcome.DONE, AdminResult.Outcome.ALREADY_RETRIED);
      }
    } finally {
      two.shutdownNow();
    }
    assertThat(admin.counts()).containsEntry(EventStatus.PENDING, 10L);
    assertThat(rows.count("outbox_audit")).isEqualTo(20);
  }

  @Test
  void aRetryWhileARelayRunsComesBeforeWhatItHeldBack() throws Exception {
    rows.store("A", "1", "poison", "a2", "a3");
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay();
    relay.start();
    Await.until("it failed", Duration.ofSeconds(20), () -> rows.count("outbox_failed") == 1);
    broker.answer(publication -> Outcome.CONFIRMED);
    assertThat(admin.retry(failed(), ANN).isDone()).isTrue();
    assertThat(relay.drain(Duration.ofSeconds(20))).isTrue();
    assertThat(broker.published()).containsExactly("poison", "poison", "a2", "a3");
  }

  @Test
  void aDiscardedEventIsArchivedWithItsReasonAndHoldsNothingBack() throws Exception {
    rows.store("A", "1", "poison", "a2");
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay();
    relay.start();
    Await.until("it failed", Duration.ofSeconds(20), () -> rows.count("outbox_failed") == 1);
    broker.answer(publication -> Outcome.CONFIRMED);
    UUID poison = failed();
    assertThat(admin.discard(poison, ANN).isDone()).isTrue();
    assertThat(relay.drain(Duration.ofSeconds(20))).isTrue();
    assertThat(broker.published()).containsExactly("poison", "a2");
    EventSummary discarded = admin.find(poison).orElseThrow();
    assertThat(discarded.status()).isEqualTo(EventStatus.DISCARDED);
    assertThat(discarded.error()).isEqualTo("queue was missing");
    assertThat(discarded.endedAt()).isNotNull();
  }

  @Test
  void manyAreRetriedByFilterWithLimitRateAndProgress() throws Exception {
    fail("F", 12);
    fail("G", 3);
    EventFilter onlyF = EventFilter.builder().aggregateType("F").build();
    List<Long> progress = new ArrayList<>();
    long began = System.nanoTime();
    BulkResult some =
        admin.retry(
            onlyF,
            Bulk.all()
                .withLimit(6)
                .withPerSecond(4)
                .withProgress(
                    done -> {
                      progress.add(done);
                      return true;
                    }),
            ANN);
    assertThat(some).isEqualTo(new BulkResult(6, false));
    assertThat(progress).containsExactly(4L, 6L);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(1_400));
    assertThat(admin.retry(onlyF, Bulk.all(), ANN).done()).isEqualTo(6);
    assertThat(admin.counts()).containsEntry(EventStatus.FAILED, 3L);
    assertThat(admin.retryAll(Bulk.all(), BOB).done()).isEqualTo(3);
    assertThat(admin.counts())
        .containsEntry(EventStatus.FAILED, 0L)
        .containsEntry(EventStatus.PENDING, 15L);
    relay().runOnce();
    assertThat(admin.counts())
        .containsEntry(EventStatus.PENDING, 0L)
        .containsEntry(EventStatus.PROCESSED, 15L);
    assertThat(audit()).hasSize(18).contains("bob|RETRY_MANY|DONE");
  }

  @Test
  void theProgressListenerCanStop() throws Exception {
    fail("F", 5);
    BulkResult result =
        admin.retryAll(Bulk.all().withPerSecond(2).withProgress(done -> false), ANN);
    assertThat(result).isEqualTo(new BulkResult(2, true));
    assertThat(admin.counts()).containsEntry(EventStatus.FAILED, 3L);
    assertThat(audit()).contains("ann|RETRY_MANY|STOPPED");
  }

  @Test
  void moreThanOneTransactionOfEventsIsDiscarded() throws Exception {
    String[] texts = new String[1_203];
    java.util.Arrays.setAll(texts, i -> "w" + i);
    rows.store("W", "1", texts);
    rows.sql(
        "insert into outbox_failed (id, event_id, lane, event_type, event_version, occurred_at,"
            + " content_type, payload, sha256, attempts, cause, created_at, failed_at, blocks)"
            + " select id, event_id, lane, event_type, event_version, occurred_at, content_type,"
            + " payload, sha256, 1, 'NACKED', created_at, created_at, false from outbox_event",
        "delete from outbox_event");
    List<Long> progress = new ArrayList<>();
    BulkResult result =
        admin.discard(
            ALL,
            Bulk.all()
                .withProgress(
                    done -> {
                      progress.add(done);
                      return true;
                    }),
            ANN);
    assertThat(result.done()).isEqualTo(1_203);
    assertThat(progress).containsExactly(500L, 1_000L, 1_203L);
    assertThat(rows.count("outbox_archive")).isEqualTo(1_203);
    assertThat(rows.count("outbox_audit")).isEqualTo(1_204);
  }

  @Test
  void anEventThatFailsAgainAtOnceIsRetriedOnceByABulk() throws Exception {
    fail("F", 3);
    broker.answer(publication -> Outcome.NACKED);
    OutboxRelay relay = relay();
    relay.start();
    BulkResult result = admin.retryAll(Bulk.all().withPerSecond(2), ANN);
    assertThat(result.done()).isEqualTo(3);
  }

  @Test
  void theArchiveIsReplayedInOrderAndUnchanged() throws Exception {
    process("p1", "p2", "p3");
    RecordingPublisher again = new RecordingPublisher();
    ReplayResult result = admin.replay(ALL, again, Bulk.all(), ANN);
    assertThat(result.confirmed()).isEqualTo(3);
    assertThat(result.stopped()).isFalse();
    assertThat(again.published()).containsExactly("p1", "p2", "p3");
    assertThat(again.publications().get(2).envelope().sha256()).isEqualTo(rows.last().sha256());
    assertThat(rows.count("outbox_archive")).isEqualTo(3);
    assertThat(audit()).containsExactly("ann|REPLAY|BEGUN", "ann|REPLAY|DONE");
    assertThat(admin.replay(ALL, again, Bulk.all().withLimit(2), ANN).confirmed()).isEqualTo(2);
  }

  @Test
  void aReplayLeavesOutDamagedEventsAndStopsAtAnOutage() throws Exception {
    process("p1", "p2", "p3");
    rows.sql(
        "update outbox_archive set content_type = 'text/html' where id ="
            + " (select * from (select min(id) from outbox_archive) x)");
    RecordingPublisher again = new RecordingPublisher();
    again.answer(
        publication ->
            RecordingPublisher.what(publication).equals("p3")
                ? Outcome.UNKNOWN
                : Outcome.UNROUTABLE);
    ReplayResult result = admin.replay(ALL, again, Bulk.all(), ANN);
    assertThat(result.damaged()).isEqualTo(1);
    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.confirmed()).isZero();
    assertThat(result.stopped()).isTrue();
    assertThat(again.published()).containsExactly("p2", "p3");
    EventFilter failed = EventFilter.builder().status(EventStatus.FAILED).build();
    assertThatThrownBy(() -> admin.replay(failed, again, Bulk.all(), ANN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("archive");
  }

  @Test
  void aReleasedRelayIsFencedAndItsLanesBeginANewEpoch() throws Exception {
    rows.store("A", "1", "a1");
    broker.hold();
    OutboxRelay relay = relay();
    relay.start();
    assertThat(broker.holds().await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    List<String> before = rows.texts("select epoch from outbox_lane order by lane");
    assertThat(admin.releaseRelay(relay.name(), ANN)).hasValue(64);
    List<String> after = rows.texts("select epoch from outbox_lane order by lane");
    for (int i = 0; i < 64; i++) {
      assertThat(Long.parseLong(after.get(i))).isGreaterThan(Long.parseLong(before.get(i)));
    }
    broker.release(Outcome.CONFIRMED);
    // It comes back with new epochs and publishes again what it could not acknowledge.
    assertThat(relay.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(audit()).containsExactly("ann|RELEASE|DONE");
  }

  @Test
  void lanesCanBeReleasedOneByOne() throws Exception {
    OutboxRelay relay = relay();
    relay.runOnce();
    assertThat(admin.releaseLanes(Set.of(3, 5, 999), ANN)).isEqualTo(2);
    assertThat(rows.lanesOf(relay)).isEqualTo(62);
    assertThat(admin.releaseLanes(Set.of(999), ANN)).isZero();
    assertThat(audit()).containsExactly("ann|RELEASE|DONE", "ann|RELEASE|NOT_FOUND");
  }

  @Test
  void onlyWhatIsOldIsPurgedInSmallTransactions() throws Exception {
    String[] texts = new String[2_100];
    java.util.Arrays.setAll(texts, i -> "p" + i);
    process(texts);
    assertThat(admin.purge(OutboxAdmin.Purgeable.ARCHIVE, Duration.ofDays(1), ANN)).isZero();
    rows.sql("update outbox_archive set ended_at = '2020-01-01 00:00:00'");
    process("young");
    assertThat(admin.purge(OutboxAdmin.Purgeable.ARCHIVE, Duration.ofDays(1), ANN))
        .isEqualTo(2_100);
    assertThat(rows.count("outbox_archive")).isEqualTo(1);
    assertThat(rows.texts("select state_after from outbox_audit order by id"))
        .containsExactly(
            "0 rows deleted", "1000 rows deleted", "1000 rows deleted", "100 rows deleted");
  }

  @Test
  void dedupeKeysAndInboxMessagesArePurgedToo() {
    String hash =
        switch (database.kind()) {
          case H2 -> "x'" + "00".repeat(32) + "'";
          case POSTGRES -> "'\\x" + "00".repeat(32) + "'";
          case MARIADB -> "x'" + "00".repeat(32) + "'";
        };
    String id =
        database.kind() == Database.Kind.MARIADB
            ? "x'" + "00".repeat(16) + "'"
            : "'00000000-0000-0000-0000-000000000000'";
    for (String at : List.of("2020-01-01 00:00:00", "2999-01-01 00:00:00")) {
      rows.sql(
          "insert into outbox_dedupe (event_type, dedupe_key, event_id, created_at) values ('t', '"
              + at
              + "', "
              + id
              + ", '"
              + at
              + "')",
          "insert into inbox_message (consumer, message_id, sha256, received_at) values ('c', '"
              + at
              + "', "
              + hash
              + ", '"
              + at
              + "')");
    }
    assertThat(admin.purge(OutboxAdmin.Purgeable.DEDUPE, Duration.ofDays(7), ANN)).isEqualTo(1);
    assertThat(admin.purge(OutboxAdmin.Purgeable.INBOX, Duration.ofDays(7), ANN)).isEqualTo(1);
    assertThat(rows.count("outbox_dedupe")).isEqualTo(1);
    assertThat(rows.count("inbox_message")).isEqualTo(1);
  }

  @Test
  void anActionThatTheDatabaseRefusesIsAuditedAndChangesNothing() throws Exception {
    fail("F", 1);
    rows.sql("alter table outbox_failed add constraint no_retry check (retry_at is null)");
    try {
      assertThatThrownBy(() -> admin.retry(failed(), ANN))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("SQL state 23");
    } finally {
      rows.sql("alter table outbox_failed drop constraint no_retry");
    }
    assertThat(rows.count("outbox_failed")).isEqualTo(1);
    assertThat(audit()).singleElement().asString().startsWith("ann|RETRY|ERROR sqlState=23");
  }

  @Test
  void anOperatorSaysWhoAndWhy() {
    assertThatThrownBy(() -> new Operator(" ", "why")).hasMessageContaining("who");
    assertThatThrownBy(() -> new Operator("ann", "")).hasMessageContaining("why");
    assertThatThrownBy(() -> new Operator("ann", "x".repeat(501))).hasMessageContaining("500");
  }
}
