// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;

/** Keeps the warnings and errors of the whole JVM, and which of them nobody has judged yet. */
final class LogRecorder extends AppenderBase<ILoggingEvent> {
  private final String owner;
  private final List<ILoggingEvent> all = new ArrayList<>();
  private final List<ILoggingEvent> fresh = new ArrayList<>();
  private final List<ILoggingEvent> betweenTests = new ArrayList<>();

  LogRecorder(String owner) {
    this.owner = owner;
  }

  boolean belongsTo(String id) {
    return owner.equals(id);
  }

  @Override
  protected void append(ILoggingEvent line) {
    if (line.getLevel().isGreaterOrEqual(Level.WARN)) {
      line.prepareForDeferredProcessing();
      synchronized (this) {
        all.add(line);
        fresh.add(line);
      }
    }
  }

  /** A test begins: what was logged since the last one belongs to neither. */
  synchronized void testBegins() {
    betweenTests.addAll(takeFresh());
  }

  synchronized List<ILoggingEvent> takeFresh() {
    List<ILoggingEvent> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }

  synchronized List<ILoggingEvent> takeOutsideOfTests() {
    betweenTests.addAll(takeFresh());
    return List.copyOf(betweenTests);
  }

  synchronized List<ILoggingEvent> all() {
    return List.copyOf(all);
  }
}
