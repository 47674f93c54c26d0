// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class UnitOfWorkTest {

  private final List<String> steps = new ArrayList<>();

  private final UnitOfWork unitOfWork =
      new UnitOfWork() {
        @Override
        public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
          steps.add("begin");
          T result = work.call();
          steps.add("commit");
          return result;
        }

        @Override
        public UnitOfWork requiresNew() {
          return this;
        }
      };

  @Test
  void runIsACallWithoutResult() {
    unitOfWork.run(() -> steps.add("work"));
    assertThat(steps).containsExactly("begin", "work", "commit");
  }

  @Test
  void anExceptionReachesTheCallerUnchanged() {
    IOException thrown = new IOException("checked");
    assertThatThrownBy(
            () ->
                unitOfWork.run(
                    () -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(steps).containsExactly("begin");
  }
}
