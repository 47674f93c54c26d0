// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.examples;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.dddevents.outbox.HibernateUnitOfWork;
import io.dddevents.testsupport.EmbeddedBroker;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/**
 * The walking skeleton: one order goes the whole way on H2 and an embedded broker. The relay and
 * the consumer are not there yet, so this example publishes and receives by hand, and says so.
 */
public final class Shop {

  private static final String EXCHANGE = "domain.events";

  private final PrintStream out;

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
        SessionFactory sessions = sessions()) {
      placeAnOrder(HibernateUnitOfWork.of(sessions));
      String payload = stored(sessions);
      publishAndReceive(broker, payload);
    }
  }

  private static SessionFactory sessions() {
    return new HibernatePersistenceConfiguration("shop")
        .managedClass(Order.class)
        .jdbcUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
        .property("hibernate.hbm2ddl.auto", "create")
        .createEntityManagerFactory();
  }

  private void placeAnOrder(HibernateUnitOfWork unitOfWork) {
    unitOfWork.run(
        () -> {
          Order order = new Order(UUID.randomUUID(), "teapot", 2);
          order.place();
          unitOfWork.session().persist(order);
          say("raised", order.pendingEvents().list().get(0).event().toString());
        });
  }

  private String stored(SessionFactory sessions) {
    return sessions.fromSession(
        session -> {
          List<Object[]> rows =
              session
                  .createNativeQuery(
                      "select event_type, aggregate_type, aggregate_id, payload from outbox_event",
                      Object[].class)
                  .getResultList();
          Object[] row = rows.get(0);
          String payload = new String((byte[]) row[3], StandardCharsets.UTF_8);
          say("stored", row[0] + " of " + row[1] + " " + row[2] + ": " + payload);
          return payload;
        });
  }

  private void publishAndReceive(EmbeddedBroker broker, String payload) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    try (Connection connection = factory.newConnection("shop");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(EXCHANGE, "topic", true);
      String queue = channel.queueDeclare("shipping", true, false, false, null).getQueue();
      channel.queueBind(queue, EXCHANGE, "order.*");
      channel.confirmSelect();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType("application/json")
              .deliveryMode(2)
              .type("order.placed")
              .build();
      channel.basicPublish(
          EXCHANGE, "order.placed", true, properties, payload.getBytes(StandardCharsets.UTF_8));
      channel.waitForConfirmsOrDie(10_000);
      say("published", "by hand for now: the relay comes with the next issues");
      GetResponse delivery = channel.basicGet(queue, true);
      say("received", new String(delivery.getBody(), StandardCharsets.UTF_8));
    }
  }

  private void say(String step, String what) {
    out.printf("%-10s %s%n", step, what);
  }
}
