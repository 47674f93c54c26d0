// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import io.dddevents.UnreadableEventException.Reason;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which class has which wire name. Producers ask for the name of a class; consumers ask for
 * the class of a name and get one that was registered here, or a refusal: a name from a message is
 * only ever the key of a map, never something to load.
 *
 * <p>Immutable as to what can be read; safe for many threads.
 */
public final class EventTypes {

  private final Map<WireName, Class<? extends DomainEvent>> classes;
  private final Map<String, String> aliases;
  private final boolean onlyRegistered;

  /** Every class whose name was asked for, so that two classes never share one. */
  private final Map<Class<?>, WireName> names = new ConcurrentHashMap<>();

  private final Map<WireName, Class<?>> owners = new ConcurrentHashMap<>();

  private EventTypes(
      Map<WireName, Class<? extends DomainEvent>> classes,
      Map<String, String> aliases,
      boolean onlyRegistered) {
    this.classes = classes;
    this.aliases = aliases;
    this.onlyRegistered = onlyRegistered;
    classes.forEach(
        (name, type) -> {
          names.put(type, name);
          owners.put(name, type);
        });
  }

  /** Names every class by its annotation or class name, and reads none. For producers. */
  public static EventTypes open() {
    return new EventTypes(Map.of(), Map.of(), false);
  }

  /** Reads the given classes; names these and any other. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static EventTypes of(Class<? extends DomainEvent>... types) {
    return of(Arrays.asList(types));
  }

  /** Reads the given classes; names these and any other. */
  public static EventTypes of(Collection<Class<? extends DomainEvent>> types) {
    return registry(types, false);
  }

  /** Reads and names the given classes only: raising any other makes the transaction fail. */
  public static EventTypes only(Collection<Class<? extends DomainEvent>> types) {
    return registry(types, true);
  }

  /** The wire name of an event class. */
  public WireName nameOf(Class<? extends DomainEvent> type) {
    WireName known = names.get(type);
    return known == null ? learn(type) : known;
  }

  /** The class that is registered for the name and version. */
  public Class<? extends DomainEvent> classOf(WireName wire) {
    WireName current = new WireName(currentName(wire.name()), wire.version());
    Class<? extends DomainEvent> type = classes.get(current);
    if (type != null) {
      return type;
    }
    List<Integer> versions =
        classes.keySet().stream()
            .filter(known -> known.name().equals(current.name()))
            .map(WireName::version)
            .sorted()
            .toList();
    if (versions.isEmpty()) {
      throw new UnreadableEventException(
          Reason.UNKNOWN_TYPE,
          "no class is registered for event type '"
              + wire.name()
              + "'; register it with EventTypes.of(...). Known types: "
              + knownNames());
    }
    throw new UnreadableEventException(
        Reason.UNSUPPORTED_VERSION,
        "event type '"
            + wire.name()
            + "' is known in version "
            + versions
            + ", not in version "
            + wire.version()
            + "; deploy the class of that version or register an upcaster");
  }

  /** The name under which an alias is registered; the name itself if it is no alias. */
  public String currentName(String name) {
    return aliases.getOrDefault(name, name);
  }

  /** The registered classes by name, for start-up checks and documentation. */
  public Map<WireName, Class<? extends DomainEvent>> registered() {
    return classes;
  }

  private WireName learn(Class<? extends DomainEvent> type) {
    if (onlyRegistered) {
      throw new EventRefusedException(
          "event class "
              + type.getName()
              + " is not registered; add it to EventTypes.only(...). Known types: "
              + knownNames());
    }
    WireName name = declaredName(type);
    String meant = aliases.get(name.name());
    if (meant != null) {
      throw aliasClash(name.name(), type, meant);
    }
    Class<?> owner = owners.putIfAbsent(name, type);
    if (owner != null && owner != type) {
      throw clash(name, owner, type);
    }
    names.put(type, name);
    return name;
  }

  private Set<String> knownNames() {
    Set<String> known = new TreeSet<>();
    classes.keySet().forEach(name -> known.add(name.toString()));
    return known;
  }

  private static EventTypes registry(
      Collection<Class<? extends DomainEvent>> types, boolean onlyRegistered) {
    Map<WireName, Class<? extends DomainEvent>> classes = new LinkedHashMap<>();
    for (Class<? extends DomainEvent> type : types) {
      Class<?> owner = classes.putIfAbsent(declaredName(type), type);
      if (owner != null && owner != type) {
        throw clash(declaredName(type), owner, type);
      }
    }
    return new EventTypes(Map.copyOf(classes), aliases(classes), onlyRegistered);
  }

  private static Map<String, String> aliases(Map<WireName, Class<? extends DomainEvent>> classes) {
    Map<String, String> aliases = new TreeMap<>();
    classes.forEach(
        (name, type) -> {
          EventType declared = type.getAnnotation(EventType.class);
          for (String alias : declared == null ? new String[0] : declared.aliases()) {
            Text.requireWords(
                "alias of event class " + type.getName(), alias, EventLimits.TYPE_LENGTH);
            String former = aliases.putIfAbsent(alias, name.name());
            boolean taken = classes.keySet().stream().anyMatch(n -> n.name().equals(alias));
            if (taken || (former != null && !former.equals(name.name()))) {
              throw aliasClash(alias, type, taken || former == null ? alias : former);
            }
          }
        });
    return Map.copyOf(aliases);
  }

  private static WireName declaredName(Class<? extends DomainEvent> type) {
    EventType declared = type.getAnnotation(EventType.class);
    try {
      return declared == null
          ? new WireName(type.getName(), 1)
          : new WireName(declared.value(), declared.version());
    } catch (EventRefusedException e) {
      throw new EventRefusedException(
          "event class " + type.getName() + ": " + e.getMessage() + "; see @EventType", e);
    }
  }

  private static EventRefusedException clash(WireName name, Class<?> first, Class<?> second) {
    return new EventRefusedException(
        "event type '"
            + name
            + "' is claimed by two classes, "
            + first.getName()
            + " and "
            + second.getName()
            + "; give one of them another @EventType name or version");
  }

  private static EventRefusedException aliasClash(String name, Class<?> type, String event) {
    return new EventRefusedException(
        "event class "
            + type.getName()
            + " claims the name '"
            + name
            + "', which already means the event type '"
            + event
            + "'; one name can mean one event only");
  }
}
