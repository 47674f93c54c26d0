// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import io.dddevents.EventTypes;
import io.dddevents.jackson.JacksonEventSerializer;
import io.dddevents.outbox.HibernateInbox;
import io.dddevents.outbox.HibernateUnitOfWork;
import io.dddevents.outbox.OutboxRelay;
import io.dddevents.rabbit.ConsumerConfig;
import io.dddevents.rabbit.RabbitConnection;
import io.dddevents.rabbit.RabbitConsumer;
import io.dddevents.rabbit.RabbitPublisher;
import io.dddevents.rabbit.RabbitPublisherConfig;
import io.dddevents.testsupport.EmbeddedBroker;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/**
 * One order goes the whole way, on H2 and an embedded broker: raised, stored, published, handled.
 * The commit wakes the relay; the handler's effect and its memory commit together.
 */
public final class Shop {

  private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";

  private final PrintStream out;
  private final CountDownLatch handled = new CountDownLatch(1);

  Shop(PrintStream out) {
    this.out = out;
  }

  /** Runs the example. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("the example takes no arguments yet, but got: " + String.join(" ", args));
      System.exit(2);
    }
    new Shop(System.out).run();
  }

  void run() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        SessionFactory sessions = sessions();
        RabbitConsumer shipping = shipping(broker, sessions);
        RabbitPublisher publisher = publisher(broker);
        OutboxRelay relay =
            OutboxRelay.builder(dataSource(), publisher).wakeUpBy(sessions).build()) {
      shipping.start();
      awaitQueue(shipping);
      relay.start();
      HibernateUnitOfWork unitOfWork = HibernateUnitOfWork.of(sessions);
      UUID id = placeAnOrder(unitOfWork);
      if (!handled.await(30, TimeUnit.SECONDS) || !relay.drain(Duration.ofSeconds(30))) {
        throw new IllegalStateException("order " + id + " did not arrive within half a minute");
      }
      say("published", relay.statistics().acknowledged() + " event, confirmed and routed");
      unitOfWork.run(
          () -> {
            Shipment shipment = unitOfWork.session().find(Shipment.class, id);
            say("ledger", "order " + id + " ships one " + shipment.article());
          });
    }
  }

  private static SessionFactory sessions() {
    return new HibernatePersistenceConfiguration("shop")
        .managedClass(Order.class)
        .managedClass(Shipment.class)
        .jdbcUrl(URL)
        .property("hibernate.hbm2ddl.auto", "create")
        .createEntityManagerFactory();
  }

  private static DataSource dataSource() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL(URL);
    return dataSource;
  }

  private static RabbitPublisher publisher(EmbeddedBroker broker) {
    return RabbitPublisher.start(
        RabbitConnection.uri(broker.uri()).build(), RabbitPublisherConfig.defaults("shop"));
  }

  private RabbitConsumer shipping(EmbeddedBroker broker, SessionFactory sessions) {
    HibernateUnitOfWork unitOfWork = HibernateUnitOfWork.of(sessions);
    return RabbitConsumer.builder(
            // The embedded broker knows neither quorum queues nor single active consumers.
            ConsumerConfig.named("shipping")
                .queueType(ConsumerConfig.QueueType.CLASSIC)
                .singleActive(false)
                .build())
        .uri(URI.create(broker.uri()))
        .inbox(unitOfWork, HibernateInbox.of(sessions, unitOfWork))
        .serializer(
            JacksonEventSerializer.builder().types(EventTypes.of(OrderPlaced.class)).build())
        .handle(
            OrderPlaced.class,
            (event, envelope) -> {
              unitOfWork.session().persist(new Shipment(event.orderId(), event.article()));
              say("handled", envelope + " by shipping");
              handled.countDown();
            })
        .build();
  }

  /** An event that nobody has a queue for yet would be tried again a second later. */
  private static void awaitQueue(RabbitConsumer consumer) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (consumer.state() != RabbitConsumer.State.CONSUMING && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private UUID placeAnOrder(HibernateUnitOfWork unitOfWork) {
    UUID id = UUID.randomUUID();
    unitOfWork.run(
        () -> {
          Order order = new Order(id, "teapot", 2);
          order.place();
          unitOfWork.session().persist(order);
          say("raised", order.pendingEvents().list().get(0).event().toString());
        });
    say("stored", "with the order, in one transaction");
    return id;
  }

  private synchronized void say(String step, String what) {
    out.printf("%-10s %s%n", step, what);
  }
}
