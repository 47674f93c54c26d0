// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dddevents.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RelaySettingsTest {

  @Test
  void nothingSaidMeansTheDefaults() {
    assertThat(RelayConfig.from(Map.of())).isEqualTo(RelayConfig.defaults());
  }

  @Test
  void everySettingCanBeSaid() {
    Map<String, String> settings = all();
    assertThat(settings.keySet()).containsExactlyInAnyOrderElementsOf(RelaySettings.known());
    assertThat(RelayConfig.from(settings)).isEqualTo(changed());
  }

  @Test
  void everySettingCanBeSaidByTheEnvironment() {
    Map<String, String> environment = new HashMap<>(Map.of("PATH", "/bin"));
    all().forEach((name, value) -> environment.put(RelaySettings.environmentName(name), value));
    assertThat(environment).containsKey("DDD_OUTBOX_RELAY_BATCH_SIZE");
    assertThat(RelayConfig.from(environment)).isEqualTo(changed());
  }

  @Test
  void everySettingCanBeSaidByProperties() {
    Properties properties = new Properties();
    properties.putAll(all());
    assertThat(RelayConfig.fromProperties(properties)).isEqualTo(changed());
  }

  @Test
  void theEnvironmentWins() {
    RelayConfig config =
        RelayConfig.from(
            Map.of("outbox.relay.batch-size", "7", "DDD_OUTBOX_RELAY_BATCH_SIZE", "8"));
    assertThat(config.batchSize()).isEqualTo(8);
  }

  @Test
  void theEnvironmentOfThisProcessSaysNothing() {
    assertThat(RelayConfig.fromEnvironment()).isEqualTo(RelayConfig.defaults());
  }

  @Test
  void settingsOfOthersAreLeftAlone() {
    assertThat(
            RelayConfig.from(
                Map.of("outbox.webhook.url", "x", "server.port", "1", "DDD_TEST_URL", "y")))
        .isEqualTo(RelayConfig.defaults());
  }

  @ParameterizedTest
  @CsvSource({
    "outbox.relay.batchsize,        outbox.relay.batch-size",
    "outbox.relay.batch_size,       outbox.relay.batch-size",
    "outbox.reley.batch,            outbox.relay.batch-size",
    "outbox.relay.intervall,        outbox.relay.interval",
    "outbox.relay.lese,             outbox.relay.lease",
    "outbox.rely.retry,             outbox.relay.retry",
    "outbox.relay.Retention,        outbox.relay.retention",
    "DDD_OUTBOX_RELAY_BATCHSIZE,    DDD_OUTBOX_RELAY_BATCH_SIZE",
    "DDD_OUTBOX_RELEY_WINDOW,       DDD_OUTBOX_RELAY_WINDOW",
  })
  void aMisspeltSettingIsRefusedWithASuggestion(String wrong, String right) {
    assertThatThrownBy(() -> RelayConfig.from(Map.of(wrong, "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + wrong + "'")
        .hasMessageContaining("did you mean '" + right + "'?");
  }

  @ParameterizedTest
  @CsvSource({
    "batch-size, 0, batchSize must be from 1 to 10000",
    "batch-size, -1, batchSize must be from 1 to 10000",
    "batch-size, 1000000000, batchSize must be from 1 to 10000",
    "batch-size, 1e9, use a whole number",
    "batch-size, 99999999999, use a whole number",
    "window, 0, window must be from 1 to 100000",
    "window, 2147483647, window must be from 1 to 100000",
    "interval, 0s, interval must be from PT0.01S to PT1H",
    "interval, -5s, interval must be from PT0.01S to PT1H",
    "interval, 1000000000s, interval must be from PT0.01S to PT1H",
    "interval, 999999999999999999d, use a time such as",
    "interval, 5, use a time such as",
    "interval, soon, use a time such as",
    "lease, 0s, lease must be from PT0.5S to PT1H",
    "lease, -PT1S, lease must be from PT0.5S to PT1H",
    "lease, 2h, lease must be from PT0.5S to PT1H",
    "sweep, 0ms, sweep must be from PT0.01S to PT1H",
    "stop-timeout, -1s, stopTimeout must be from PT0S to PT1H",
    "retention, 100000d, retention must be from PT0S",
    "dedupe-retention, 0s, dedupeRetention must be from PT1M",
    "inbox-retention, 0s, inboxRetention must be from PT1M",
    "purge-interval, 0s, purgeInterval must be from PT1S to PT24H",
    "retry, fixed:1s:0, attempts must be at least 1",
    "retry, fixed:1s:-3, attempts must be at least 1",
    "retry, fixed:1s:1000000000, attempts of retry must be from 1 to 1000",
    "retry, fixed:-1s:3, must not be negative",
    "retry, exponential:5m:1s:5, base (PT5M) must not be longer than max (PT1S)",
    "retry, exponential:1s:5, use exponential:1s:5m:5",
    "retry, often, use exponential:1s:5m:5",
    "retry, often:1s:3, use exponential:1s:5m:5",
    "order, chaos, use confirmed or pipelined",
  })
  void aValueOutOfRangeIsRefusedWithTheRange(String name, String value, String message) {
    assertThatThrownBy(() -> RelayConfig.from(Map.of("outbox.relay." + name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aLeaseNotLongerThanTheIntervalIsRefusedNamingBoth() {
    assertThatThrownBy(
            () ->
                RelayConfig.from(Map.of("outbox.relay.lease", "5s", "outbox.relay.interval", "5s")))
        .hasMessage("lease (PT5S) must be longer than interval (PT5S)");
  }

  @ParameterizedTest
  @CsvSource({
    "retention=20d;inbox-retention=14d, inboxRetention (PT336H), retention (PT480H)",
    "retention=0s;inbox-retention=1h;retry=fixed:61m:2, inboxRetention (PT1H), PT1H1M",
    "retention=0s;inbox-retention=1h;retry=doubling:1s:forever, inboxRetention (PT1H), PT24H",
  })
  void anInboxThatForgetsTooEarlyIsRefusedNamingBoth(String all, String one, String other) {
    Map<String, String> settings = new HashMap<>();
    for (String each : all.split(";", -1)) {
      String[] parts = each.split("=", 2);
      settings.put("outbox.relay." + parts[0], parts[1]);
    }
    assertThatThrownBy(() -> RelayConfig.from(settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(one)
        .hasMessageContaining(other);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.5S", "500ms", " 500 ms "})
  void timesHaveAShortAndALongForm(String text) {
    assertThat(RelayConfig.from(Map.of("outbox.relay.interval", text)).interval())
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void everyRetryPolicyOfTheDocumentsCanBeSaid() {
    assertThat(retry("exponential:1s:5m:5")).isEqualTo(RetryPolicy.defaults());
    assertThat(retry("fixed:10s:3")).isEqualTo(RetryPolicy.fixed(Duration.ofSeconds(10), 3));
    assertThat(retry("doubling:100ms:5"))
        .isEqualTo(RetryPolicy.doubling(Duration.ofMillis(100)).attempts(5));
    assertThat(retry("schedule:0s,1s,2s,5s,15s,60s,300s,900s:forever"))
        .isEqualTo(
            RetryPolicy.schedule(
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                Duration.ofSeconds(300),
                Duration.ofSeconds(900)));
  }

  @Test
  void everySettingIsDocumented() throws IOException {
    String document = Files.readString(Path.of("../docs/configuration.md"));
    assertThat(RelaySettings.known()).allMatch(name -> document.contains("`" + name + "`"));
  }

  private static RetryPolicy retry(String text) {
    return RelayConfig.from(Map.of("outbox.relay.retry", text)).retry();
  }

  private static Map<String, String> all() {
    return Map.ofEntries(
        Map.entry("outbox.relay.batch-size", "50"),
        Map.entry("outbox.relay.window", "60"),
        Map.entry("outbox.relay.interval", "5s"),
        Map.entry("outbox.relay.sweep", "6s"),
        Map.entry("outbox.relay.lease", "1m"),
        Map.entry("outbox.relay.stop-timeout", "7s"),
        Map.entry("outbox.relay.retention", "2h"),
        Map.entry("outbox.relay.dedupe-retention", "3d"),
        Map.entry("outbox.relay.inbox-retention", "4d"),
        Map.entry("outbox.relay.purge-interval", "PT5M"),
        Map.entry("outbox.relay.retry", "fixed:10s:3"),
        Map.entry("outbox.relay.order", "pipelined"),
        Map.entry("outbox.relay.skip-failed", "order.viewed, order.touched"));
  }

  private static RelayConfig changed() {
    return RelayConfig.defaults()
        .withBatchSize(50)
        .withWindow(60)
        .withInterval(Duration.ofSeconds(5))
        .withSweep(Duration.ofSeconds(6))
        .withLease(Duration.ofMinutes(1))
        .withStopTimeout(Duration.ofSeconds(7))
        .withRetention(Duration.ofHours(2))
        .withDedupeRetention(Duration.ofDays(3))
        .withInboxRetention(Duration.ofDays(4))
        .withPurgeInterval(Duration.ofMinutes(5))
        .withRetry(RetryPolicy.fixed(Duration.ofSeconds(10), 3))
        .withOrder(RelayConfig.Order.PIPELINED)
        .withSkipFailed(Set.of("order.viewed", "order.touched"));
  }
}
