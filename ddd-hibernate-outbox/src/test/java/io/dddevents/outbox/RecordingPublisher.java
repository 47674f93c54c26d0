// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventPublisher;
import io.dddevents.Publication;
import io.dddevents.PublishResult;
import io.dddevents.PublishResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** Confirms, refuses, stalls or loses, as the test says, and remembers what it was given. */
final class RecordingPublisher implements EventPublisher {

  private final List<Publication> published = new ArrayList<>();
  private final List<CompletableFuture<PublishResult>> held = new ArrayList<>();
  private Function<Publication, Outcome> answer = publication -> Outcome.CONFIRMED;
  private boolean holding;
  private CountDownLatch holds = new CountDownLatch(1);

  /** What to say about each publication from now on. */
  synchronized RecordingPublisher answer(Function<Publication, Outcome> newAnswer) {
    answer = newAnswer;
    return this;
  }

  /** Answers nothing from now on. */
  synchronized void hold() {
    holding = true;
    holds = new CountDownLatch(1);
  }

  /** Counted down when something is held. */
  synchronized CountDownLatch holds() {
    return holds;
  }

  /** Answers everything that was held, and again at once from now on. */
  void release(Outcome outcome) {
    List<CompletableFuture<PublishResult>> all;
    synchronized (this) {
      holding = false;
      all = new ArrayList<>(held);
      held.clear();
    }
    all.forEach(future -> future.complete(new PublishResult(outcome, "released")));
  }

  /** What happened, in the order it was published; repetitions included. */
  synchronized List<String> published() {
    return published.stream().map(RecordingPublisher::what).toList();
  }

  synchronized List<Publication> publications() {
    return List.copyOf(published);
  }

  static String what(Publication publication) {
    return new String(publication.envelope().payload(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public synchronized CompletableFuture<PublishResult> publish(Publication publication) {
    published.add(publication);
    if (holding) {
      CompletableFuture<PublishResult> future = new CompletableFuture<>();
      held.add(future);
      holds.countDown();
      return future;
    }
    return CompletableFuture.completedFuture(
        new PublishResult(answer.apply(publication), "as told"));
  }

  @Override
  public void close() {}
}
