// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.EventSerializer;
import io.dddevents.EventTypes;
import io.dddevents.jackson.JacksonEventSerializer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.cfg.MappingSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings of capture. They are properties of the persistence unit, beside Hibernate's own, in
 * {@code persistence.xml}, {@code PersistenceConfiguration} or {@code Configuration}. All have
 * defaults; an unknown name under {@value #PREFIX} is refused.
 */
public final class OutboxSettings {

  /** What all settings begin with. */
  public static final String PREFIX = "dddevents.outbox.";

  /** Whether the events of this persistence unit are captured. Defaults to {@code true}. */
  public static final String ENABLED = PREFIX + "enabled";

  /**
   * Whether all sessions are captured, by listeners. Defaults to {@code true}; with {@code false}
   * only those are that have an {@link OutboxInterceptor}.
   */
  public static final String LISTENERS = PREFIX + "listeners";

  /** The database schema of the tables. Defaults to {@code hibernate.default_schema}, if set. */
  public static final String SCHEMA = PREFIX + "schema";

  /** What the names of the tables begin with. Defaults to nothing: {@code outbox_event}, …. */
  public static final String TABLE_PREFIX = PREFIX + "table_prefix";

  /**
   * An {@link EventSerializer}, its class, or the class's name. Defaults to {@link
   * JacksonEventSerializer#create()}.
   */
  public static final String SERIALIZER = PREFIX + "serializer";

  /** An {@link EventTypes}. Defaults to {@link EventTypes#open()}. */
  public static final String EVENT_TYPES = PREFIX + "event_types";

  /**
   * Whether the tables are checked when the factory is built. Defaults to {@code true}, for a
   * persistence unit that has an aggregate.
   */
  public static final String START_CHECK = PREFIX + "start_check";

  /**
   * Whether Hibernate's schema tool creates our tables too, where it is switched on; it never drops
   * them. Defaults to {@code true}.
   */
  public static final String SCHEMA_TOOL = PREFIX + "schema_tool";

  private static final List<String> KNOWN =
      List.of(
          ENABLED,
          LISTENERS,
          SCHEMA,
          TABLE_PREFIX,
          SERIALIZER,
          EVENT_TYPES,
          START_CHECK,
          SCHEMA_TOOL);

  private final Map<String, Object> values;

  private OutboxSettings(Map<String, Object> values) {
    this.values = values;
  }

  static OutboxSettings of(Map<String, Object> values) {
    for (String name : values.keySet()) {
      if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
        throw new OutboxException(
            "unknown setting '" + name + "'; did you mean '" + nearest(name, KNOWN) + "'?");
      }
    }
    return new OutboxSettings(values);
  }

  boolean enabled() {
    return flag(ENABLED);
  }

  boolean listeners() {
    return flag(LISTENERS);
  }

  boolean startCheck() {
    return flag(START_CHECK);
  }

  boolean schemaTool() {
    return flag(SCHEMA_TOOL);
  }

  OutboxNames names() {
    return OutboxNames.of(
        text(SCHEMA).or(() -> text(MappingSettings.DEFAULT_SCHEMA)), text(TABLE_PREFIX).orElse(""));
  }

  EventTypes eventTypes() {
    return values.get(EVENT_TYPES) == null
        ? EventTypes.open()
        : instance(EVENT_TYPES, EventTypes.class, values.get(EVENT_TYPES));
  }

  EventSerializer serializer(ClassLoaderService classes) {
    Object value = values.get(SERIALIZER);
    if (value == null) {
      return JacksonEventSerializer.create();
    }
    Object given = value instanceof String name ? classes.classForName(name) : value;
    if (given instanceof Class<?> type) {
      try {
        given = type.getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new OutboxException(
            SERIALIZER + ": " + type.getName() + " needs a public constructor without arguments",
            e);
      }
    }
    return instance(SERIALIZER, EventSerializer.class, given);
  }

  private boolean flag(String name) {
    Object value = values.get(name);
    if (value == null || "true".equalsIgnoreCase(value.toString())) {
      return true;
    }
    if ("false".equalsIgnoreCase(value.toString())) {
      return false;
    }
    throw new OutboxException(name + " is '" + value + "'; use true or false");
  }

  private Optional<String> text(String name) {
    Object value = values.get(name);
    return value == null || value.toString().isBlank()
        ? Optional.empty()
        : Optional.of(value.toString());
  }

  private static <T> T instance(String name, Class<T> type, @Nullable Object value) {
    if (!type.isInstance(value)) {
      throw new OutboxException(
          name
              + " is "
              + (value == null ? "nothing" : "a " + value.getClass().getName())
              + "; it must be a "
              + type.getName());
    }
    return type.cast(value);
  }

  static String nearest(String name, List<String> all) {
    String best = all.get(0);
    for (String known : all) {
      if (distance(name, known) < distance(name, best)) {
        best = known;
      }
    }
    return best;
  }

  /** How many letters to change, insert or remove (Levenshtein). */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
