// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dddevents.PublishResult.Outcome;
import io.dddevents.rabbit.Confirms.Admission;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfirmsTest {

  private final List<Pending> settled = new ArrayList<>();
  private final Confirms rabbit = new Confirms(8, false, this::complete);
  private final Confirms qpid = new Confirms(8, true, this::complete);

  private void complete(List<Pending> some) {
    some.forEach(Pending::complete);
    settled.addAll(some);
  }

  private static Pending sent(Confirms confirms, String id) throws InterruptedException {
    Pending pending = new Pending(id, false);
    assertThat(confirms.admit(pending)).isEqualTo(Admission.ADMITTED);
    return pending;
  }

  private static Outcome outcome(Pending pending) {
    assertThat(pending.future()).isDone();
    return pending.future().join().outcome();
  }

  @Test
  void oneAnswerForManySettlesThemInOrder() throws Exception {
    List<Pending> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sent.add(sent(rabbit, "e" + i));
    }
    rabbit.answered(2, false, true);
    assertThat(settled).containsExactly(sent.get(1));
    rabbit.answered(4, true, true);
    assertThat(settled).containsExactly(sent.get(1), sent.get(0), sent.get(2), sent.get(3));
    rabbit.answered(0, true, true);
    assertThat(settled).hasSize(5);
    assertThat(rabbit.oldestNanos()).isZero();
  }

  @Test
  void anAnswerTwiceCountsOnce() throws Exception {
    Pending one = sent(rabbit, "e");
    rabbit.answered(1, false, true);
    rabbit.answered(1, false, false);
    assertThat(outcome(one)).isEqualTo(Outcome.CONFIRMED);
    assertThat(settled).hasSize(1);
  }

  @Test
  void anAnswerForWhatWasNotSentIsAnError() throws Exception {
    sent(rabbit, "e");
    assertThatIllegalStateException().isThrownBy(() -> rabbit.answered(2, false, true));
  }

  @Test
  void whenANackIsFollowedByAReturnTheEventIsUnroutable() throws Exception {
    Pending unroutable = sent(qpid, "u");
    Pending refused = sent(qpid, "r");
    Pending last = sent(qpid, "l");
    qpid.answered(1, false, false);
    assertThat(unroutable.future()).isNotDone();
    qpid.returned("u");
    assertThat(outcome(unroutable)).isEqualTo(Outcome.UNROUTABLE);
    qpid.answered(2, false, false);
    qpid.answered(3, false, false);
    assertThat(outcome(refused)).isEqualTo(Outcome.NACKED);
    qpid.turn();
    assertThat(last.future()).isNotDone();
    qpid.turn();
    assertThat(outcome(last)).isEqualTo(Outcome.NACKED);
  }

  @Test
  void whatWasGivenUpStaysUnknownAndKeepsItsNumber() throws Exception {
    Pending givenUp = sent(rabbit, "same");
    rabbit.blocked(true);
    assertThat(rabbit.admit(new Pending("x", false))).isEqualTo(Admission.BLOCKED);
    rabbit.giveUp("alarm");
    assertThat(outcome(givenUp)).isEqualTo(Outcome.UNKNOWN);
    rabbit.blocked(false);
    Pending again = sent(rabbit, "same");
    rabbit.returned("same");
    rabbit.answered(1, false, true);
    assertThat(again.future()).isNotDone();
    rabbit.answered(2, false, true);
    assertThat(outcome(again)).isEqualTo(Outcome.CONFIRMED);
    assertThat(outcome(givenUp)).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void theEndMakesAllUnknownOnceAndForEver() throws Exception {
    Pending open = sent(rabbit, "e");
    assertThat(rabbit.end("first")).isTrue();
    assertThat(rabbit.end("second")).isFalse();
    rabbit.answered(1, false, true);
    assertThat(outcome(open)).isEqualTo(Outcome.UNKNOWN);
    assertThat(open.future().join().detail()).isEqualTo("first");
    assertThat(rabbit.admit(new Pending("x", false))).isEqualTo(Admission.ENDED);
    assertThat(settled).hasSize(1);
  }
}
