// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import io.dddevents.RetryPolicy;
import io.dddevents.outbox.RelayConfig.Order;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a {@link RelayConfig} from texts. Each setting has one name and, by rule, a second one. */
final class RelaySettings {

  static final String PREFIX = "outbox.relay.";

  private static final String ENVIRONMENT_PREFIX = "DDD_";
  private static final Pattern AMOUNT = Pattern.compile("(-?\\d{1,18})\\s*(ms|s|m|h|d)");
  private static final String RETRY_FORMS =
      "exponential:1s:5m:5, fixed:10s:3, doubling:100ms:5 or schedule:0s,1s,5s:forever";

  private static final Map<String, BiConsumer<RelayDraft, String>> SETTINGS = settings();
  private static final List<String> KNOWN = List.copyOf(SETTINGS.keySet());

  private RelaySettings() {}

  static List<String> known() {
    return KNOWN;
  }

  static RelayConfig read(Map<String, String> given) {
    RelayDraft draft = new RelayDraft(RelayConfig.defaults());
    ours(given)
        .forEach(
            (name, value) -> {
              BiConsumer<RelayDraft, String> setting = SETTINGS.get(name);
              if (setting == null) {
                throw unknown(name, KNOWN);
              }
              try {
                setting.accept(draft, value.strip());
              } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                    name + " is '" + value + "': " + e.getMessage(), e);
              }
            });
    return draft.config();
  }

  static Map<String, String> texts(Properties properties) {
    Map<String, String> texts = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> texts.put(name, properties.getProperty(name, "")));
    return texts;
  }

  static String environmentName(String setting) {
    return ENVIRONMENT_PREFIX
        + setting.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** What is meant for the relay, under its plain names; the environment wins. */
  private static Map<String, String> ours(Map<String, String> given) {
    Map<String, String> plain = new TreeMap<>();
    Map<String, String> environment = new TreeMap<>();
    Map<String, String> plainNames =
        KNOWN.stream().collect(Collectors.toMap(RelaySettings::environmentName, name -> name));
    given.forEach(
        (name, value) -> {
          if (isMeant(name, "outbox.", '.', "relay")) {
            plain.put(name, value);
          } else if (isMeant(name, ENVIRONMENT_PREFIX + "OUTBOX_", '_', "RELAY")) {
            String plainName = plainNames.get(name);
            if (plainName == null) {
              throw unknown(name, List.copyOf(plainNames.keySet()));
            }
            environment.put(plainName, value);
          }
        });
    plain.putAll(environment);
    return plain;
  }

  /** Whether a name is one of the relay's, or was meant to be: 'outbox.reley.batch'. */
  private static boolean isMeant(String name, String prefix, char separator, String relay) {
    if (!name.startsWith(prefix)) {
      return false;
    }
    int end = name.indexOf(separator, prefix.length());
    String part = name.substring(prefix.length(), end < 0 ? name.length() : end);
    return OutboxSettings.distance(part, relay) <= 2;
  }

  private static IllegalArgumentException unknown(String name, List<String> known) {
    // Half of a name is nearer to what it is half of than to another short one.
    String end = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('_')) + 1);
    List<String> whole =
        known.stream().filter(each -> !end.isEmpty() && each.contains("." + end)).toList();
    return new IllegalArgumentException(
        "unknown setting '"
            + name
            + "'; did you mean '"
            + OutboxSettings.nearest(name, whole.isEmpty() ? known : whole)
            + "'?");
  }

  private static Map<String, BiConsumer<RelayDraft, String>> settings() {
    Map<String, BiConsumer<RelayDraft, String>> all = new LinkedHashMap<>();
    all.put(PREFIX + "batch-size", (draft, text) -> draft.batchSize = number(text));
    all.put(PREFIX + "window", (draft, text) -> draft.window = number(text));
    all.put(PREFIX + "interval", (draft, text) -> draft.interval = duration(text));
    all.put(PREFIX + "sweep", (draft, text) -> draft.sweep = duration(text));
    all.put(PREFIX + "lease", (draft, text) -> draft.lease = duration(text));
    all.put(PREFIX + "stop-timeout", (draft, text) -> draft.stopTimeout = duration(text));
    all.put(PREFIX + "retention", (draft, text) -> draft.retention = duration(text));
    all.put(PREFIX + "dedupe-retention", (draft, text) -> draft.dedupeRetention = duration(text));
    all.put(PREFIX + "inbox-retention", (draft, text) -> draft.inboxRetention = duration(text));
    all.put(PREFIX + "purge-interval", (draft, text) -> draft.purgeInterval = duration(text));
    all.put(PREFIX + "retry", (draft, text) -> draft.retry = retry(text));
    all.put(PREFIX + "order", (draft, text) -> draft.order = order(text));
    all.put(PREFIX + "skip-failed", (draft, text) -> draft.skipFailed = names(text));
    return all;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "use a whole number up to " + Integer.MAX_VALUE + ", in digits", e);
    }
  }

  static Duration duration(String text) {
    try {
      Matcher amount = AMOUNT.matcher(text);
      if (!amount.matches()) {
        return Duration.parse(text);
      }
      long number = Long.parseLong(amount.group(1));
      return switch (amount.group(2)) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "use a time such as 500ms, 5s, 10m, 2h, 7d or ISO-8601 (PT5S)", e);
    }
  }

  private static Order order(String text) {
    for (Order order : Order.values()) {
      if (order.name().equalsIgnoreCase(text)) {
        return order;
      }
    }
    throw new IllegalArgumentException("use confirmed or pipelined");
  }

  private static Set<String> names(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static RetryPolicy retry(String text) {
    List<String> parts = List.of(text.split(":", -1));
    boolean exponential = parts.get(0).equals("exponential");
    if (parts.size() != (exponential ? 4 : 3)) {
      throw new IllegalArgumentException("use " + RETRY_FORMS);
    }
    RetryPolicy policy =
        switch (parts.get(0)) {
          case "exponential" ->
              RetryPolicy.exponential(duration(parts.get(1)), duration(parts.get(2)), 1);
          case "fixed" -> RetryPolicy.fixed(duration(parts.get(1)), 1);
          case "doubling" -> RetryPolicy.doubling(duration(parts.get(1)));
          case "schedule" ->
              RetryPolicy.schedule(
                  Arrays.stream(parts.get(1).split(",", -1))
                      .map(delay -> duration(delay.strip()))
                      .toArray(Duration[]::new));
          default -> throw new IllegalArgumentException("use " + RETRY_FORMS);
        };
    String attempts = parts.get(parts.size() - 1);
    return attempts.equals("forever") ? policy.forever() : policy.attempts(number(attempts));
  }
}
