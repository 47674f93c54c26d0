// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.util.List;

/**
 * What an import of a failure file did.
 *
 * @param imported events that are in the Failed table now
 * @param known events that the tables had already
 * @param unreadable the numbers of lines that are not whole, counted from 1
 */
public record ImportResult(long imported, long known, List<Long> unreadable) {

  /** Copies the list. */
  public ImportResult {
    unreadable = List.copyOf(unreadable);
  }
}
