// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.rabbit.ConsumerConfig.QueueType;
import io.dddevents.testsupport.ChildMain;
import io.dddevents.testsupport.FailPoints;
import java.net.URI;

/** A consumer in a JVM of its own, which a test kills: broker, queue, database, user, password. */
final class ConsumerChild {

  private ConsumerChild() {}

  public static void main(String[] args) throws Exception {
    try (Effects effects = new Effects(args[2], args[3], args[4]);
        RabbitConsumer consumer =
            RabbitConsumer.builder(settings(args[1]).build())
                .uri(URI.create(args[0]))
                .inbox(effects.unitOfWork(), effects.inbox())
                .serializer(ConsumerBench.SERIALIZER)
                .handle(Noted.class, effects.handler())
                .checkpoints(ConsumerChild::reach)
                .build()) {
      consumer.start();
      System.out.println("STARTED");
      ChildMain.nextLine();
    }
  }

  /** The same in the test and in the child; a queue is declared with equal arguments only. */
  static ConsumerConfig.Builder settings(String queue) {
    return ConsumerConfig.named(queue)
        .exchange(queue + ".events")
        .queueType(QueueType.QUORUM)
        .bind("test.#")
        .prefetch(20);
  }

  private static void reach(Checkpoint checkpoint) {
    FailPoints.reach(checkpoint.name());
  }
}
