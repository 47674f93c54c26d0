// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

/** A text planted in content: it may come out of the payload, never out of an exception. */
public final class Canary {

  public static final String TEXT = "S3CRET-CANARY";

  private Canary() {}

  public static void assertHiddenIn(Throwable thrown) {
    for (@Nullable Throwable t = thrown; t != null; t = t.getCause()) {
      assertThat(t.toString()).doesNotContain(TEXT);
      for (Throwable suppressed : t.getSuppressed()) {
        assertHiddenIn(suppressed);
      }
    }
  }
}
