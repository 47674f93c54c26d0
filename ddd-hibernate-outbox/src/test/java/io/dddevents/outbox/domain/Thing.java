// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import io.dddevents.AggregateRoot;
import io.dddevents.EventOptions;
import java.util.HashSet;
import java.util.Set;

/** What all aggregates of the suite can do. Not mapped. */
public abstract class Thing extends AggregateRoot {

  private transient Set<String> raisingIn = new HashSet<>();

  public void happen(String what) {
    raise(new Happened(what));
  }

  public void happen(String what, EventOptions options) {
    raise(new Happened(what), options);
  }

  /** Runs on the proxy itself, if this is one. */
  public final void happenFinally(String what) {
    raise(new Happened(what));
  }

  /** From now on the named JPA callbacks raise an event of their own name. */
  public void raiseIn(String... callbacks) {
    raisingIn = new HashSet<>(Set.of(callbacks));
  }

  protected void called(String callback) {
    if (raisingIn != null && raisingIn.contains(callback)) {
      raise(new Happened(callback));
    }
  }
}
