// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.outbox.OutboxHealth.Status;
import io.dddevents.testsupport.Await;
import io.dddevents.testsupport.Database;
import io.dddevents.testsupport.LeakGuard;
import io.dddevents.testsupport.arch.ArchitectureRules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

@ExtendWith(LeakGuard.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QuartzClockTest {

  private static final RelayConfig CONFIG =
      RelayConfig.defaults()
          .withInterval(Duration.ofMillis(100))
          .withSweep(Duration.ofHours(1))
          .withLease(Duration.ofMinutes(1));

  private final Database database = Database.h2();
  private RecordingPublisher broker = new RecordingPublisher();
  private OutboxRows rows;

  @BeforeAll
  void createTables() throws SQLException {
    rows = new OutboxRows(database);
  }

  @BeforeEach
  void empty() {
    broker = new RecordingPublisher();
    rows.clear();
  }

  @AfterAll
  void drop() {
    database.close();
  }

  private OutboxRelay.Builder relay() {
    return OutboxRelay.builder(database.dataSource(), broker).config(CONFIG);
  }

  private static long ticks(OutboxRelay relay) {
    return relay.counters().pulse().ticks();
  }

  private static void awaitTicks(OutboxRelay relay, long more) {
    long before = ticks(relay);
    Await.until("the clock rings", Duration.ofSeconds(30), () -> ticks(relay) >= before + more);
  }

  private static Properties ram(int threads) {
    Properties properties = new Properties();
    properties.setProperty("org.quartz.scheduler.instanceName", "users-" + UUID.randomUUID());
    properties.setProperty("org.quartz.scheduler.makeSchedulerThreadDaemon", "true");
    properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.setProperty("org.quartz.threadPool.threadCount", Integer.toString(threads));
    properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
    properties.setProperty("org.quartz.jobStore.misfireThreshold", "200");
    return properties;
  }

  private static Scheduler scheduler(Properties properties) throws SchedulerException {
    return new StdSchedulerFactory(properties).getScheduler();
  }

  @Test
  void theClockRingsAndWhatIsStoredElsewhereIsPublished() throws Exception {
    try (OutboxRelay relay = relay().build()) {
      relay.start();
      awaitTicks(relay, 3);
      rows.store("A", "1", "a1");
      Await.until(
          "it is published", Duration.ofSeconds(20), () -> broker.published().contains("a1"));
    }
  }

  @Test
  void afterTheCloseNoThreadOfTheClockIsLeft() {
    OutboxRelay relay = relay().name("threads").build();
    try (relay) {
      relay.start();
      awaitTicks(relay, 1);
      assertThat(threadsOf(relay)).isNotEmpty().allMatch(Thread::isDaemon);
    }
    Await.until("no thread", Duration.ofSeconds(10), () -> threadsOf(relay).isEmpty());
  }

  private static List<Thread> threadsOf(OutboxRelay relay) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("clock-" + relay.name()))
        .toList();
  }

  @Test
  void aSchedulerOfTheUserIsUsedAndLeftAsItWas() throws Exception {
    Scheduler scheduler = scheduler(ram(2));
    scheduler.start();
    try {
      try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
        relay.start();
        assertThat(jobs(scheduler)).isEqualTo(2);
        awaitTicks(relay, 2);
        assertThat(threadsOf(relay)).isEmpty();
      }
      assertThat(jobs(scheduler)).isZero();
      assertThat(scheduler.isStarted()).isTrue();
      assertThat(scheduler.isShutdown()).isFalse();
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void aSchedulerThatTheUserHasNotStartedStaysSoAndTheRelayWorks() throws Exception {
    Scheduler scheduler = scheduler(ram(1));
    try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
      relay.start();
      rows.store("A", "1", "a1");
      Await.until(
          "the fallback finds it", Duration.ofSeconds(20), () -> broker.published().contains("a1"));
      assertThat(ticks(relay)).isZero();
      assertThat(scheduler.isStarted()).isFalse();
      Await.until(
          "health tells it",
          Duration.ofSeconds(30),
          () ->
              relay.health().reasons().stream()
                  .anyMatch(reason -> reason.startsWith("the scheduler has not called")));
      assertThat(relay.health().status()).isEqualTo(Status.DEGRADED);
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void aSchedulerThatIsShutDownIsRefusedAndTheRelayIsClosed() throws Exception {
    Scheduler scheduler = scheduler(ram(1));
    scheduler.shutdown(true);
    OutboxRelay relay = relay().scheduler(scheduler).build();
    assertThatThrownBy(relay::start)
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(relay.name());
    assertThat(relay.health().reasons()).contains("the relay is closed");
  }

  @Test
  void callsThatWereMissedCollapse() throws Exception {
    Scheduler scheduler = scheduler(ram(2));
    scheduler.start();
    try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
      relay.start();
      awaitTicks(relay, 1);
      scheduler.standby();
      Await.until(
          "thirty intervals have passed",
          Duration.ofSeconds(30),
          () -> relay.counters().pulse().nanosSinceTick() > 3_000_000_000L);
      long before = ticks(relay);
      long begin = System.nanoTime();
      scheduler.start();
      awaitTicks(relay, 3);
      long intervals = (System.nanoTime() - begin) / 100_000_000L;
      // One for what was missed, and those that came due since; not thirty.
      assertThat(ticks(relay) - before).isLessThanOrEqualTo(intervals + 3);
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void jobsThatFillTheUsersPoolDoNotStopTheRelay() throws Exception {
    Scheduler scheduler = scheduler(ram(2));
    scheduler.start();
    Blocking.release = new CountDownLatch(1);
    Blocking.running = new CountDownLatch(2);
    try (OutboxRelay relay = relay().build()) {
      for (int i = 0; i < 50; i++) {
        scheduler.scheduleJob(
            JobBuilder.newJob(Blocking.class).withIdentity("job" + i).build(),
            TriggerBuilder.newTrigger().startNow().build());
      }
      assertThat(Blocking.running.await(20, TimeUnit.SECONDS)).isTrue();
      relay.start();
      awaitTicks(relay, 5);
    } finally {
      Blocking.release.countDown();
      scheduler.shutdown(true);
    }
  }

  /** Does not end until it may. */
  public static final class Blocking implements Job {
    private static volatile CountDownLatch running = new CountDownLatch(0);
    private static volatile CountDownLatch release = new CountDownLatch(0);

    @Override
    public void execute(JobExecutionContext context) {
      running.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aClusteredJobStoreInADatabaseWorksAndNeedsNothingButNames() throws Exception {
    try (Database quartz = Database.h2()) {
      quartz.execute(quartzTables());
      Scheduler scheduler = scheduler(clustered(quartz));
      scheduler.start();
      try {
        try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
          relay.start();
          awaitTicks(relay, 3);
          rows.store("A", "1", "a1");
          Await.until(
              "it is published", Duration.ofSeconds(20), () -> broker.published().contains("a1"));
          assertThat(jobs(scheduler)).isEqualTo(2);
        }
        assertThat(jobs(scheduler)).isZero();
      } finally {
        scheduler.shutdown(true);
      }
    }
  }

  @Test
  void aJobOfARelayThatLivesElsewhereDoesNothing() throws Exception {
    Scheduler scheduler = scheduler(ram(1));
    try {
      QuartzClock.ring(
          "elsewhere",
          QuartzClock.Task.WAKE,
          scheduler,
          TriggerBuilder.newTrigger().startNow().build());
      assertThat(jobs(scheduler)).isZero();
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void theTriggersOnAUsersSchedulerEndByThemselvesShouldTheRelayBeKilled() throws Exception {
    Scheduler scheduler = scheduler(ram(1));
    try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
      relay.start();
      for (var key : scheduler.getTriggerKeys(GroupMatcher.groupEquals(QuartzClock.GROUP))) {
        assertThat(scheduler.getTrigger(key).getEndTime()).isNotNull();
      }
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void aTriggerThatEndsSoonIsProlongedWhileTheRelayLives() throws Exception {
    Scheduler scheduler = scheduler(ram(1));
    try (OutboxRelay relay = relay().scheduler(scheduler).build()) {
      relay.start();
      TriggerKey key = TriggerKey.triggerKey(relay.name() + "-WAKE", QuartzClock.GROUP);
      Date soon = Date.from(Instant.now().plus(Duration.ofHours(1)));
      scheduler.rescheduleJob(
          key, scheduler.getTrigger(key).getTriggerBuilder().endAt(soon).build());
      QuartzClock.ring(relay.name(), QuartzClock.Task.WAKE, scheduler, scheduler.getTrigger(key));
      assertThat(scheduler.getTrigger(key).getEndTime())
          .isAfter(Date.from(Instant.now().plus(Duration.ofHours(20))));
    } finally {
      scheduler.shutdown(true);
    }
  }

  @Test
  void aDatabaseThatIsGoneMakesTheHealthDownAndTheScrapeNotFail() {
    Database gone = Database.h2();
    OutboxMeasures measures =
        new OutboxMeasures(
            gone.dataSource(), SqlDialect.H2, OutboxNames.defaults(), System::nanoTime);
    // There are no tables in it.
    assertThat(measures.atMost(Duration.ofSeconds(1))).isNull();
    gone.close();
    try (OutboxRelay relay = relay().build()) {
      new OutboxMetrics(relay).bindTo(new SimpleMeterRegistry());
      assertThat(
              OutboxHealth.of(
                      HealthLimits.defaults(),
                      CONFIG.interval(),
                      relay.state(),
                      relay.counters().pulse(),
                      null)
                  .reasons())
          .contains("the database does not answer");
    }
  }

  @Test
  void onlyTheClockKnowsQuartzAndOnlyTheMetricsKnowMicrometer() {
    var main = ArchitectureRules.mainClassesOf(OutboxRelay.class);
    ArchitectureRules.onlyTheseTouch(
            List.of("QuartzClock", "OutboxJob", "OutboxRelay"), "org.quartz..")
        .check(main);
    ArchitectureRules.onlyTheseTouch(List.of("OutboxMetrics"), "io.micrometer..").check(main);
  }

  private static int jobs(Scheduler scheduler) throws SchedulerException {
    return scheduler.getJobKeys(GroupMatcher.groupEquals(QuartzClock.GROUP)).size();
  }

  private static String[] quartzTables() throws IOException {
    try (InputStream sql =
        Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_h2.sql")) {
      String text = new String(sql.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.replaceAll("(?m)^--.*$", "").split(";", -1))
          .filter(statement -> !statement.isBlank())
          .toArray(String[]::new);
    }
  }

  private static Properties clustered(Database database) {
    String name = "quartz-" + UUID.randomUUID();
    DBConnectionManager.getInstance()
        .addConnectionProvider(name, new Connecting(database.dataSource()));
    Properties properties = ram(2);
    properties.setProperty("org.quartz.scheduler.instanceId", "AUTO");
    properties.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    properties.setProperty(
        "org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
    properties.setProperty("org.quartz.jobStore.useProperties", "true");
    properties.setProperty("org.quartz.jobStore.isClustered", "true");
    properties.setProperty("org.quartz.jobStore.dataSource", name);
    return properties;
  }

  private record Connecting(DataSource dataSource) implements ConnectionProvider {
    @Override
    public java.sql.Connection getConnection() throws SQLException {
      return dataSource.getConnection();
    }

    @Override
    public void shutdown() {}

    @Override
    public void initialize() {}
  }
}
