// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventPublisher;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;

/**
 * Brings committed events from the outbox to the broker. Any number of relays, in any number of
 * JVMs, share the work; each event of an aggregate is published by one of them at a time, in order.
 *
 * <pre>{@code
 * try (OutboxRelay relay = OutboxRelay.builder(dataSource, publisher).build()) {
 *   relay.start();
 *   …
 * }
 * }</pre>
 *
 * <p>A relay holds two connections of the data source for as long as it lives (three, except on
 * PostgreSQL), and one more while it purges or is asked for its health. It needs nothing from the
 * application but the database: it can run in the same JVM or in another. Safe for many threads.
 */
public final class OutboxRelay implements AutoCloseable {

  private final String name;
  private final RelayConfig config;
  private final String events;
  private final DataSource dataSource;
  private final RelayThreads threads;
  private final FailureListeners listeners;
  private final RelayCounters counters;
  private final EventPublisher publisher;
  private final Runnable wakeUp;
  private final @Nullable Capture capture;
  private final QuartzClock clock;
  private final Leases leases;
  private final Purge purge;
  private final OutboxMeasures measures;
  private final String givenName;

  private OutboxRelay(Builder builder, SqlDialect dialect) {
    OutboxNames names = builder.names;
    this.name = builder.name + "-" + UUID.randomUUID().toString().substring(0, 8);
    this.config = builder.config;
    this.dataSource = builder.dataSource;
    this.publisher = builder.publisher;
    this.events = names.qualified("outbox_event");
    this.counters = new RelayCounters();
    this.givenName = builder.name;
    this.leases =
        new Leases(
            new LaneStore(dialect, names, name, config.lease()),
            new RelayConnection(dataSource, dialect),
            config.lease(),
            counters,
            System::nanoTime);
    RelayConnection connection = new RelayConnection(dataSource, dialect);
    RelayConnection dirty = RelayConnection.dirty(dataSource, dialect);
    RelayReads reads = new RelayReads(dialect, names);
    RelayStore store = new RelayStore(dialect, names, name, config.retention());
    this.listeners = new FailureListeners(name, builder.listeners);
    RelayWorker worker =
        new RelayWorker(
            config,
            store,
            new SafetyNet(store, connection, name, listeners, builder.failureFile),
            connection,
            reads,
            new LateCommits(dialect, reads, connection, dirty),
            leases,
            publisher,
            name,
            counters,
            System::nanoTime);
    this.threads = new RelayThreads(name, config, worker, leases, List.of(connection, dirty));
    this.wakeUp = threads::wake;
    this.purge = new Purge(dialect, names, config, dataSource);
    this.measures = new OutboxMeasures(dataSource, dialect, names, System::nanoTime);
    this.clock =
        new QuartzClock(
            name, config.interval(), config.purgeInterval(), this::tick, this::purgeInTurn);
    if (builder.scheduler != null) {
      clock.use(builder.scheduler);
    }
    this.capture = builder.wakeUpBy == null ? null : Capture.required(builder.wakeUpBy);
    if (capture != null) {
      capture.onCommit(wakeUp);
    }
  }

  /** A relay for the outbox in the given database. The publisher stays the caller's to close. */
  public static Builder builder(DataSource dataSource, EventPublisher publisher) {
    return new Builder(dataSource, publisher);
  }

  /** The relay's name, unique for every one that was ever made. */
  public String name() {
    return name;
  }

  /** Starts the threads. A relay can be started once. */
  public void start() {
    threads.start();
    try {
      clock.start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Stops publishing until {@link #resume}; what is under way is finished, the lanes are kept. */
  public void pause() {
    threads.pause(true);
  }

  /** Goes on after {@link #pause}. */
  public void resume() {
    threads.pause(false);
  }

  /** Looks for work at once rather than at the next interval. */
  public void wake() {
    threads.wake();
  }

  /**
   * Works on the calling thread until there is nothing to do now; for tests, and for applications
   * that bring their own clock. Not for a relay that was started.
   */
  public void runOnce() throws SQLException {
    threads.runOnce();
  }

  /**
   * Waits until the outbox is empty.
   *
   * @return whether it is; events that wait for a retry or an operator keep it from being
   */
  public boolean drain(Duration timeout) throws InterruptedException, SQLException {
    long end = System.nanoTime() + timeout.toNanos();
    while (!isEmpty()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      threads.wake();
      threads.awaitPass(Duration.ofMillis(50));
    }
    return true;
  }

  /** How the relay is, by {@link HealthLimits#defaults()}; see {@link #health(HealthLimits)}. */
  public OutboxHealth health() {
    return health(HealthLimits.defaults());
  }

  /**
   * How the relay is. Asks the database at most every ten seconds, never waits long and never
   * throws.
   */
  public OutboxHealth health(HealthLimits limits) {
    return OutboxHealth.of(
        limits,
        config.interval(),
        threads.state(),
        counters.pulse(),
        measures.atMost(Duration.ofSeconds(10)));
  }

  /** What this relay has done so far. */
  public RelayStatistics statistics() {
    return counters.snapshot();
  }

  /**
   * Stops: takes no new work, waits for open confirms, acknowledges, gives the lanes back. After it
   * no event of this relay is in doubt, unless the broker did not answer in time.
   */
  @Override
  public void close() {
    if (capture != null) {
      capture.offCommit(wakeUp);
    }
    purge.stop();
    clock.close();
    threads.close();
    listeners.close();
    purge.close();
  }

  RelayCounters counters() {
    return counters;
  }

  RelayThreads.State state() {
    return threads.state();
  }

  OutboxMeasures measures() {
    return measures;
  }

  /** The name that was given, without the part that makes it unique. */
  String givenName() {
    return givenName;
  }

  private void tick() {
    counters.pulse().tick();
    threads.wake();
  }

  /** One of all relays is enough: the one that has the first lane. */
  private void purgeInTurn() throws SQLException {
    if (leases.valid().containsKey(0)) {
      counters.purged(purge.run().rows());
    }
  }

  @Override
  public String toString() {
    return "relay " + name + " to " + publisher.getClass().getSimpleName() + ", " + config;
  }

  private boolean isEmpty() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select 1 from " + events + " limit 1")) {
      return !rows.next();
    }
  }

  /** Collects the parts of a relay. */
  public static final class Builder {

    private final DataSource dataSource;
    private final EventPublisher publisher;
    private RelayConfig config = RelayConfig.defaults();
    private OutboxNames names = OutboxNames.defaults();
    private String name = "relay";
    private @Nullable SessionFactoryImplementor wakeUpBy;
    private @Nullable FailureFile failureFile;
    private final List<FailureListener> listeners = new ArrayList<>();
    private @Nullable Scheduler scheduler;

    private Builder(DataSource dataSource, EventPublisher publisher) {
      this.dataSource = dataSource;
      this.publisher = publisher;
    }

    /** How to work. Defaults to {@link RelayConfig#defaults()}. */
    public Builder config(RelayConfig config) {
      this.config = config;
      return this;
    }

    /** The database schema of the tables. Defaults to the connection's. */
    public Builder schema(@Nullable String schema) {
      this.names = OutboxNames.of(Optional.ofNullable(schema), names.prefix());
      return this;
    }

    /** What the names of the tables begin with. Defaults to nothing. */
    public Builder tablePrefix(String prefix) {
      this.names = OutboxNames.of(names.schema(), prefix);
      return this;
    }

    /** What operators see; a part is added that makes it unique. Defaults to {@code relay}. */
    public Builder name(String name) {
      if (name.isBlank() || name.length() > 60) {
        throw new IllegalArgumentException(
            "the name of a relay has 1 to 60 characters, not " + name.length());
      }
      this.name = name;
      return this;
    }

    /** A factory whose commits wake the relay, so that events go out within milliseconds. */
    public Builder wakeUpBy(EntityManagerFactory sessions) {
      this.wakeUpBy = sessions.unwrap(SessionFactoryImplementor.class);
      return this;
    }

    /**
     * Where Failed events go, one line of JSON each, when the database refuses them in their table.
     * The folder must exist. Such an event no longer holds back its aggregate. Defaults to none:
     * the event then stays in the outbox and is tried again every minute.
     */
    public Builder failureFile(Path path) {
      this.failureFile = new FailureFile(path);
      return this;
    }

    /** Who is told of Failed events, besides those given before. Defaults to nobody. */
    public Builder failureListener(FailureListener listener) {
      this.listeners.add(listener);
      return this;
    }

    /**
     * A scheduler of yours as the relay's clock. The relay adds its jobs when it starts and removes
     * them when it closes; starting and stopping the scheduler stays yours. A job store in a
     * database, clustered too, works and is not needed: which relay does what is decided by leases.
     * Defaults to a small scheduler of the relay's own, which no job of yours can hold up.
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = scheduler;
      return this;
    }

    /**
     * The relay, not started; tables that do not fit and databases that are too old are refused.
     */
    public OutboxRelay build() {
      try (Connection connection = dataSource.getConnection()) {
        SqlDialect dialect = SqlDialect.of(connection.getMetaData());
        OutboxSchema schema = new OutboxSchema(dialect, names);
        List<String> problems = schema.validate(connection);
        if (!problems.isEmpty()) {
          throw new OutboxException(
              "the relay cannot start: "
                  + String.join("; ", problems)
                  + ". Run this SQL:\n\n"
                  + schema.print());
        }
        return new OutboxRelay(this, dialect);
      } catch (SQLException e) {
        throw new OutboxException(
            "the relay cannot start: no connection (SQL state " + e.getSQLState() + ")", e);
      }
    }
  }
}
