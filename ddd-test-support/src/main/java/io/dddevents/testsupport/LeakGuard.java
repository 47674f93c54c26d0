// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves behind threads, connections of a {@link Database}, child JVMs,
 * private servers, brokers or proxies. What was there before the class is not its fault.
 *
 * <p>A thread counts if it would keep a JVM alive, or if it is one of ours: its name starts with
 * {@code ddd-}. Threads get a moment to end, because closing rarely waits for all of them.
 */
public final class LeakGuard implements BeforeAllCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakGuard.class);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final String OURS = "ddd-";

  private record Before(Set<Thread> threads, Set<Object> things) {}

  /** For {@code ExtendWith}. */
  public LeakGuard() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    Before before = new Before(threads(), new HashSet<>(OpenThings.stillOpen().keySet()));
    context.getStore(NAMESPACE).put(Before.class, before);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Before before =
        Objects.requireNonNull(context.getStore(NAMESPACE).get(Before.class, Before.class));
    try {
      Await.until("nothing is left", GRACE, () -> leaks(before).isEmpty());
    } catch (AssertionError stillThere) {
      List<String> leaks = leaks(before);
      if (!leaks.isEmpty()) {
        String name = context.getDisplayName();
        throw new AssertionError("left behind by " + name + ": " + String.join("; ", leaks));
      }
    }
  }

  private static List<String> leaks(Before before) {
    List<String> leaks = new ArrayList<>();
    OpenThings.stillOpen()
        .forEach(
            (thing, description) -> {
              if (!before.things().contains(thing)) {
                leaks.add(description);
              }
            });
    for (Thread thread : threads()) {
      boolean counts = !thread.isDaemon() || thread.getName().startsWith(OURS);
      if (counts && thread.isAlive() && !before.threads().contains(thread)) {
        leaks.add("thread " + thread.getName() + (thread.isDaemon() ? " (daemon)" : ""));
      }
    }
    return leaks;
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }
}
