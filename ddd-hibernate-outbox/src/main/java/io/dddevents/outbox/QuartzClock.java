// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The alarm clock of a relay. Who may do what is decided by leases in our own tables, so a clock
 * that rings late, twice or on another node does no harm, and one that does not ring at all only
 * makes the relay slower.
 *
 * <p>A scheduler of the user may keep its jobs in a database and run them on another node. So a job
 * carries the relay's name and nothing else; {@link OutboxJob} finds the relay among those of its
 * JVM. And since a relay that was killed cannot take its jobs away, their triggers end by
 * themselves and are prolonged while the relay lives.
 */
final class QuartzClock implements AutoCloseable {

  static final String GROUP = "ddd-events-outbox";

  private static final Logger log = LoggerFactory.getLogger(QuartzClock.class);
  private static final Map<String, QuartzClock> LIVE = new ConcurrentHashMap<>();
  private static final Duration TRIGGER_LIFE = Duration.ofDays(1);

  private final String relay;
  private final Map<Task, Duration> intervals;
  private final Runnable tick;
  private final Work purge;
  private final Clock clock = Clock.systemUTC();
  private @Nullable Scheduler given;
  private @Nullable Scheduler own;
  private volatile boolean purgeFailed;

  /** What a job does. */
  enum Task {
    WAKE,
    PURGE
  }

  /** Work on the database. */
  interface Work {
    void run() throws SQLException;
  }

  QuartzClock(String relay, Duration interval, Duration purgeInterval, Runnable tick, Work purge) {
    this.relay = relay;
    this.intervals = Map.of(Task.WAKE, interval, Task.PURGE, purgeInterval);
    this.tick = tick;
    this.purge = purge;
  }

  /** To be called before the start, if at all. */
  void use(Scheduler scheduler) {
    this.given = scheduler;
  }

  synchronized void start() {
    LIVE.put(relay, this);
    try {
      Scheduler scheduler = given;
      if (scheduler == null) {
        scheduler = scheduler();
        own = scheduler;
      }
      for (Task task : Task.values()) {
        JobDetail job =
            JobBuilder.newJob(OutboxJob.class)
                .withIdentity(jobKey(task))
                .withDescription("ddd-events: " + task + " of relay " + relay)
                .usingJobData(OutboxJob.RELAY, relay)
                .usingJobData(OutboxJob.TASK, task.name())
                .build();
        scheduler.scheduleJob(job, trigger(task));
      }
      if (own != null) {
        own.start();
      }
    } catch (SchedulerException e) {
      throw new OutboxException(
          "the clock of relay " + relay + " does not start: " + e.getMessage(), e);
    }
  }

  /** Called by a job, on whatever node it runs; it may not be ours. */
  static void ring(String relay, Task task, Scheduler scheduler, Trigger trigger) {
    QuartzClock clock = LIVE.get(relay);
    if (clock != null) {
      clock.ring(task);
      clock.prolong(task, scheduler, trigger);
    }
  }

  private void ring(Task task) {
    if (task == Task.WAKE) {
      tick.run();
      return;
    }
    try {
      purge.run();
      purgeFailed = false;
    } catch (SQLException | RuntimeException e) {
      if (!purgeFailed) {
        log.warn("Old rows could not be removed, will try again: relay={}", relay, e);
      }
      purgeFailed = true;
    }
  }

  private void prolong(Task task, Scheduler scheduler, Trigger trigger) {
    Date end = trigger.getEndTime();
    if (end == null || end.toInstant().isAfter(clock.instant().plus(TRIGGER_LIFE.dividedBy(2)))) {
      return;
    }
    try {
      scheduler.rescheduleJob(triggerKey(task), trigger(task));
    } catch (SchedulerException e) {
      log.warn("The clock's trigger could not be prolonged: relay={}", relay, e);
    }
  }

  private SimpleTrigger trigger(Task task) {
    long millis = Math.max(1, intervals.getOrDefault(task, Duration.ofSeconds(1)).toMillis());
    // Relays that start together do not ring together.
    Instant first = clock.instant().plusMillis(ThreadLocalRandom.current().nextLong(millis) + 1);
    return TriggerBuilder.newTrigger()
        .withIdentity(triggerKey(task))
        .forJob(jobKey(task))
        .startAt(Date.from(first))
        .endAt(given == null ? null : Date.from(first.plus(TRIGGER_LIFE).plusMillis(3 * millis)))
        .withSchedule(
            SimpleScheduleBuilder.simpleSchedule()
                .withIntervalInMilliseconds(millis)
                .repeatForever()
                .withMisfireHandlingInstructionNextWithRemainingCount())
        .build();
  }

  private Scheduler scheduler() throws SchedulerException {
    long interval = intervals.getOrDefault(Task.WAKE, Duration.ofSeconds(1)).toMillis();
    Properties properties = new Properties();
    properties.setProperty("org.quartz.scheduler.instanceName", "ddd-outbox-clock-" + relay);
    properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
    properties.setProperty("org.quartz.scheduler.makeSchedulerThreadDaemon", "true");
    properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.setProperty("org.quartz.threadPool.threadCount", "2");
    properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
    properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
    // What is later than one interval has been missed: the next one does for both.
    properties.setProperty(
        "org.quartz.jobStore.misfireThreshold", Long.toString(Math.max(100, interval)));
    return new StdSchedulerFactory(properties).getScheduler();
  }

  private JobKey jobKey(Task task) {
    return JobKey.jobKey(relay + "-" + task, GROUP);
  }

  private TriggerKey triggerKey(Task task) {
    return TriggerKey.triggerKey(relay + "-" + task, GROUP);
  }

  @Override
  public synchronized void close() {
    if (!LIVE.remove(relay, this)) {
      return;
    }
    try {
      if (own != null) {
        own.shutdown(true);
      } else if (given != null && !given.isShutdown()) {
        for (Task task : Task.values()) {
          given.deleteJob(jobKey(task));
        }
      }
    } catch (SchedulerException e) {
      log.warn("The clock's jobs could not be removed; they do nothing: relay={}", relay, e);
    }
  }
}
