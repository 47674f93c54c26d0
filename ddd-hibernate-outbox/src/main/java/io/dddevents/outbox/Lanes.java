// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.Aggregate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which lane an event goes into: always the same for one aggregate, so that one relay at a time
 * publishes its events in order. Every node must compute the same, so the formula never changes.
 */
final class Lanes {

  private Lanes() {}

  static int of(@Nullable Aggregate aggregate, UUID eventId, int lanes) {
    int hash =
        aggregate == null
            ? eventId.hashCode()
            : 31 * aggregate.type().hashCode() + aggregate.id().hashCode();
    // MurmurHash3's finaliser: ids that count up would else fill the lanes one after the other.
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return Math.floorMod(hash ^ (hash >>> 16), lanes);
  }
}
