// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/**
 * What the relay's clock runs: wakes the relay that it names, if it lives in this JVM, or lets it
 * purge. Made by Quartz; public for that reason only.
 */
@DisallowConcurrentExecution
public final class OutboxJob implements Job {

  static final String RELAY = "relay";
  static final String TASK = "task";

  /** For Quartz. */
  public OutboxJob() {}

  @Override
  public void execute(JobExecutionContext context) {
    JobDataMap data = context.getMergedJobDataMap();
    String relay = data.getString(RELAY);
    String task = data.getString(TASK);
    if (relay != null && task != null) {
      QuartzClock.ring(
          relay, QuartzClock.Task.valueOf(task), context.getScheduler(), context.getTrigger());
    }
  }
}
