// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** One row of the bad-input matrix that ends in a refusal. */
record BadInput(
    String row, Class<? extends Throwable> refusal, ThrowingCallable attempt, List<String> named) {

  /** An input that is refused while the business transaction can still fail. */
  static BadInput refused(String row, ThrowingCallable attempt, String... named) {
    return new BadInput(row, EventRefusedException.class, attempt, List.of(named));
  }

  /** An input that a consumer cannot read. */
  static BadInput unreadable(String row, ThrowingCallable attempt, String... named) {
    return new BadInput(row, UnreadableEventException.class, attempt, List.of(named));
  }

  /** A mistake of the programmer. */
  static BadInput mistaken(String row, ThrowingCallable attempt, String... named) {
    return new BadInput(row, NullPointerException.class, attempt, List.of(named));
  }

  void check() {
    Throwable thrown = catchThrowable(attempt);
    assertThat(thrown).isExactlyInstanceOf(refusal);
    assertThat(thrown.getMessage()).contains(named).doesNotContain("\n", "\r", "\u001b", "\u202e");
    Canary.assertHiddenIn(thrown);
  }

  @Override
  public String toString() {
    return row;
  }
}
