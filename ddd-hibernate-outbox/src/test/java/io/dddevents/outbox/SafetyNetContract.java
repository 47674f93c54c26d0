// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.PublishResult.Outcome;
import io.dddevents.RetryPolicy;
import io.dddevents.outbox.FailedEvent.Kept;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of Failed events when their table refuses them, and who is told. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SafetyNetContract {

  private static final Operator ANN = new Operator("ann", "disk is fixed");
  private static final RelayConfig ONE_ATTEMPT =
      RelayContract.QUICK.withRetry(RetryPolicy.fixed(Duration.ZERO, 1));

  private final Database database;
  private final List<FailedEvent> told = new CopyOnWriteArrayList<>();
  private final List<OutboxRelay> relays = new ArrayList<>();
  private RecordingPublisher broker = new RecordingPublisher();
  private OutboxRows rows;
  private OutboxAdmin admin;
  private boolean refusing;

  SafetyNetContract(Database database) {
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
    broker.answer(
        publication ->
            RecordingPublisher.what(publication).startsWith("poison")
                ? Outcome.NACKED
                : Outcome.CONFIRMED);
    rows.clear();
    told.clear();
  }

  @AfterEach
  void closeRelays() {
    relays.forEach(OutboxRelay::close);
    relays.clear();
    accept();
  }

  @AfterAll
  void drop() {
    database.close();
  }

  private void refuse() {
    rows.sql(
        "alter table outbox_failed add constraint refused"
            + " check (attempts < 0 or retry_at is not null)");
    refusing = true;
  }

  private void accept() {
    if (refusing) {
      rows.sql("alter table outbox_failed drop constraint refused");
      refusing = false;
    }
  }

  private OutboxRelay.Builder builder() {
    return OutboxRelay.builder(database.dataSource(), broker)
        .config(ONE_ATTEMPT)
        .failureListener(told::add);
  }

  private OutboxRelay build(OutboxRelay.Builder builder) {
    OutboxRelay relay = builder.build();
    relays.add(relay);
    return relay;
  }

  private void awaitTold(int many) {
    Await.until("listeners are told", Duration.ofSeconds(10), () -> told.size() >= many);
  }

  @Test
  void listenersAreToldOfEveryFailedEvent() throws Exception {
    rows.store("A", "1", "poison");
    OutboxRelay relay = build(builder());
    relay.runOnce();
    awaitTold(1);
    FailedEvent event = told.get(0);
    assertThat(event.eventId()).isEqualTo(rows.last().id());
    assertThat(event.type()).isEqualTo("test.happened");
    assertThat(event.cause()).isEqualTo("NACKED");
    assertThat(event.attempt()).isEqualTo(1);
    assertThat(event.relay()).isEqualTo(relay.name());
    assertThat(event.blocks()).isTrue();
    assertThat(event.kept()).isEqualTo(Kept.TABLE);
    assertThat(rows.count("outbox_failed")).isEqualTo(1);
  }

  @Test
  void aListenerThatThrowsChangesNothing() throws Exception {
    rows.store("A", "1", "poison1");
    rows.store("B", "1", "poison2");
    OutboxRelay relay =
        build(
            OutboxRelay.builder(database.dataSource(), broker)
                .config(ONE_ATTEMPT)
                .failureListener(
                    event -> {
                      throw new IllegalStateException("secret");
                    })
                .failureListener(told::add));
    relay.runOnce();
    awaitTold(2);
    assertThat(rows.count("outbox_failed")).isEqualTo(2);
  }

  @Test
  void aListenerThatHangsHoldsUpNobody() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    rows.store("A", "1", "poison1");
    rows.store("B", "1", "poison2");
    rows.store("C", "1", "c1");
    OutboxRelay relay =
        build(
            OutboxRelay.builder(database.dataSource(), broker)
                .config(ONE_ATTEMPT)
                .failureListener(
                    event -> {
                      try {
                        free.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
    relay.runOnce();
    assertThat(rows.count("outbox_failed")).isEqualTo(2);
    assertThat(broker.published()).contains("c1");
    free.countDown();
  }

  @Test
  void anEventThatItsTableRefusesGoesIntoTheFileAndBack(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("failed.jsonl");
    rows.store("A", "1", "poison \"1\"\n\u00e4\u2028");
    rows.store("B", "1", "b1");
    EventSummary before = admin.find(stored("A")).orElseThrow();
    refuse();
    build(builder().failureFile(file)).runOnce();
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.count("outbox_failed")).isZero();
    assertThat(broker.published()).contains("b1");
    awaitTold(1);
    assertThat(told.get(0).kept()).isEqualTo(Kept.FILE);
    assertThat(Files.readAllLines(file)).hasSize(1);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    accept();
    assertThat(admin.importFailures(file, ANN)).isEqualTo(new ImportResult(1, 0, List.of()));
    EventSummary after = admin.find(before.eventId()).orElseThrow();
    assertThat(after.status()).isEqualTo(EventStatus.FAILED);
    assertThat(after.position()).isEqualTo(before.position());
    assertThat(after.cause()).isEqualTo("NACKED");
    assertThat(after.attempts()).isEqualTo(1);
    assertThat(after.createdAt()).isEqualTo(before.createdAt());
    assertThat(admin.importFailures(file, ANN)).isEqualTo(new ImportResult(0, 1, List.of()));
    assertThat(rows.texts("select concat(action, '|', result) from outbox_audit"))
        .containsExactly("IMPORT|DONE", "IMPORT|DONE", "IMPORT|DONE");

    broker.answer(publication -> Outcome.CONFIRMED);
    assertThat(admin.retry(before.eventId(), ANN).isDone()).isTrue();
    build(builder()).runOnce();
    // The hash still fits, or the relay would not have published it.
    relays.forEach(OutboxRelay::close);
    OutboxRelay last = build(builder());
    last.runOnce();
    assertThat(broker.published().stream().filter(what -> what.startsWith("poison"))).hasSize(2);
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.count("outbox_failed")).isZero();
  }

  private java.util.UUID stored(String aggregateType) {
    return admin
        .list(EventFilter.builder().aggregateType(aggregateType).build(), 0, 1)
        .events()
        .get(0)
        .eventId();
  }

  @Test
  void aDamagedEventThatItsTableRefusesGoesIntoTheFileAsItIs(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("failed.jsonl");
    rows.store("A", "1", "a1");
    rows.damage("A");
    rows.sql("update outbox_event set attempts = 2147483647");
    build(builder().failureFile(file)).runOnce();
    assertThat(rows.count("outbox_event")).isZero();
    assertThat(rows.count("outbox_failed")).isZero();
    assertThat(admin.importFailures(file, ANN).imported()).isEqualTo(1);
    assertThat(admin.failures(EventFilter.any()))
        .extracting(FailureGroup::cause)
        .containsExactly("INTEGRITY");
  }

  @Test
  void withoutAFileARefusedEventStaysInTheOutboxAndStopsNobodyElse() throws Exception {
    rows.store("A", "1", "poison", "a2");
    rows.store("B", "1", "b1");
    refuse();
    OutboxRelay relay = build(builder());
    relay.runOnce();
    relay.runOnce();
    awaitTold(1);
    assertThat(told).extracting(FailedEvent::kept).containsExactly(Kept.OUTBOX);
    assertThat(broker.published()).containsExactlyInAnyOrder("poison", "b1");
    assertThat(rows.count("outbox_event")).isEqualTo(2);
    accept();
    rows.sql("update outbox_event set next_attempt_at = null");
    relay.close();
    build(builder()).runOnce();
    assertThat(rows.count("outbox_failed")).isEqualTo(1);
    assertThat(rows.count("outbox_event")).isEqualTo(1);
  }

  @Test
  void aFileThatCannotBeWrittenTakesNothing(@TempDir Path folder) throws Exception {
    rows.store("A", "1", "poison");
    refuse();
    build(builder().failureFile(folder.resolve("no/such/folder/failed.jsonl"))).runOnce();
    awaitTold(1);
    assertThat(told.get(0).kept()).isEqualTo(Kept.OUTBOX);
    assertThat(rows.count("outbox_event")).isEqualTo(1);
  }

  @Test
  void aLineThatACrashCutOffIsReportedAndSwallowsNoOther(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("failed.jsonl");
    Files.writeString(file, "{\"id\":\"1\",\"eve", StandardOpenOption.CREATE);
    rows.store("A", "1", "poison");
    refuse();
    build(builder().failureFile(file)).runOnce();
    accept();
    assertThat(admin.importFailures(file, ANN)).isEqualTo(new ImportResult(1, 0, List.of(1L)));
  }

  @Test
  void anEventThatIsRefusedAgainAfterAnImportIsWrittenAgain(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("failed.jsonl");
    Path moved = folder.resolve("moved.jsonl");
    rows.store("A", "1", "poison");
    refuse();
    OutboxRelay relay = build(builder().failureFile(file));
    relay.runOnce();
    Files.move(file, moved);
    accept();
    assertThat(admin.importFailures(moved, ANN).imported()).isEqualTo(1);
    assertThat(admin.retryAll(Bulk.all(), ANN).done()).isEqualTo(1);
    refuse();
    Await.until(
        "it is refused again",
        Duration.ofSeconds(20),
        () -> {
          relay.runOnce();
          return Files.exists(file) && rows.count("outbox_event") == 0;
        });
    assertThat(Files.readAllLines(file)).hasSize(1);
  }

  @Test
  void aFileThatIsNotThereIsAnError(@TempDir Path folder) {
    assertThatThrownBy(() -> admin.importFailures(folder.resolve("none.jsonl"), ANN))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("none.jsonl");
    assertThat(rows.texts("select concat(target, '|', result) from outbox_audit"))
        .containsExactly("file none.jsonl|ERROR");
  }

  @Test
  void anOutageIsNoRefusal() {
    for (String state : List.of("08006", "57P01", "53300", "40001", "40P01", "55P03", "HYT00")) {
      assertThat(SafetyNet.isRefusal(new SQLException("x", state))).as(state).isFalse();
    }
    assertThat(SafetyNet.isRefusal(new SQLException("x"))).isFalse();
    assertThat(SafetyNet.isRefusal(new SQLException("lock wait", "HY000", 1205))).isFalse();
    for (String state : List.of("23514", "42703", "42S22", "22001", "53100", "42501")) {
      assertThat(SafetyNet.isRefusal(new SQLException("x", state))).as(state).isTrue();
    }
    assertThat(SafetyNet.isRefusal(new SQLException("table full", "HY000", 1114))).isTrue();
  }
}
