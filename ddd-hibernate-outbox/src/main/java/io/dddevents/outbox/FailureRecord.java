// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A Failed event on its way into the failure file or back: one line of JSON. */
record FailureRecord(
    StoredEvent event, String cause, String error, Instant failedAt, boolean blocks) {

  String toLine() {
    Map<String, @Nullable String> fields = new LinkedHashMap<>();
    fields.put("id", Long.toString(event.id()));
    fields.put("eventId", event.eventId().toString());
    fields.put("type", event.type());
    fields.put("version", Integer.toString(event.version()));
    fields.put("lane", Integer.toString(event.lane()));
    fields.put("tenant", event.tenant());
    fields.put("aggregateType", event.aggregateType());
    fields.put("aggregateId", event.aggregateId());
    Long version = event.aggregateVersion();
    fields.put("aggregateVersion", version == null ? null : version.toString());
    fields.put("occurredAt", event.occurredAt().toString());
    fields.put("correlationId", event.correlationId());
    fields.put("causationId", event.causationId());
    fields.put("traceparent", event.traceparent());
    fields.put("dedupeKey", event.dedupeKey());
    fields.put("headers", event.headers());
    fields.put("contentType", event.contentType());
    fields.put("payload", Base64.getEncoder().encodeToString(event.payload()));
    fields.put("sha256", HexFormat.of().formatHex(event.sha256()));
    // With the one that failed; a row that was tampered with must not overflow the count.
    int attempts = Math.min(Math.max(event.attempts(), 0), Integer.MAX_VALUE - 1) + 1;
    fields.put("attempts", Integer.toString(attempts));
    fields.put("createdAt", event.createdAt().toString());
    fields.put("cause", cause);
    fields.put("error", error);
    fields.put("failedAt", failedAt.toString());
    fields.put("blocks", Boolean.toString(blocks));
    return Json.write(fields);
  }

  /** Throws a {@link RuntimeException} if the line is not whole. */
  static FailureRecord ofLine(String line) {
    Map<String, @Nullable String> fields = Json.read(line);
    String version = fields.get("aggregateVersion");
    return new FailureRecord(
        new StoredEvent(
            Long.parseLong(required(fields, "id")),
            UUID.fromString(required(fields, "eventId")),
            Integer.parseInt(required(fields, "lane")),
            fields.get("tenant"),
            fields.get("aggregateType"),
            fields.get("aggregateId"),
            version == null ? null : Long.valueOf(version),
            required(fields, "type"),
            Integer.parseInt(required(fields, "version")),
            Instant.parse(required(fields, "occurredAt")),
            fields.get("correlationId"),
            fields.get("causationId"),
            fields.get("traceparent"),
            fields.get("dedupeKey"),
            fields.get("headers"),
            required(fields, "contentType"),
            Base64.getDecoder().decode(required(fields, "payload")),
            HexFormat.of().parseHex(required(fields, "sha256")),
            Integer.parseInt(required(fields, "attempts")),
            Instant.parse(required(fields, "createdAt"))),
        required(fields, "cause"),
        required(fields, "error"),
        Instant.parse(required(fields, "failedAt")),
        Boolean.parseBoolean(required(fields, "blocks")));
  }

  private static String required(Map<String, @Nullable String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }
}
