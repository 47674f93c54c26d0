// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event ready to be stored, published or handled: what happened, to which aggregate, when, in
 * which context, and the bytes that say so. The bytes are the truth: they are stored, hashed,
 * published and handed to the consumer unchanged.
 *
 * <p>Immutable, except that {@link #payload()} is not copied; do not write into it.
 */
public final class EventEnvelope {

  private final UUID id;
  private final WireName type;
  private final @Nullable Aggregate aggregate;
  private final Instant occurredAt;
  private final EventContext context;
  private final @Nullable String dedupeKey;
  private final String contentType;
  private final byte[] payload;

  private EventEnvelope(Builder builder) {
    this.id = builder.id;
    this.type = builder.type;
    this.aggregate = builder.aggregate;
    this.occurredAt = required(builder.occurredAt, "occurredAt", builder);
    this.context = builder.context;
    this.dedupeKey = builder.dedupeKey;
    this.payload = required(builder.payload, "payload", builder);
    this.contentType = required(builder.contentType, "contentType", builder);
    Text.requireText("content type", contentType, 100);
    Text.requireOptionalText("dedupe key", dedupeKey, EventLimits.DEDUPE_KEY_BYTES);
    requireTenantInDedupeKey(context.tenant(), dedupeKey);
    Text.requireBytes(
        "payload of " + type + " (event " + id + ")",
        payload.length,
        EventLimits.MAX_PAYLOAD_BYTES);
  }

  /** Starts an envelope. */
  public static Builder builder(UUID id, WireName type) {
    return new Builder(id, type);
  }

  /** Starts an envelope for an event that was raised. */
  public static Builder builder(RaisedEvent raised, WireName type) {
    return new Builder(raised.id(), type)
        .occurredAt(raised.occurredAt())
        .context(raised.context())
        .dedupeKey(raised.dedupeKey());
  }

  /** The event's id, also the message id; the same in every delivery. */
  public UUID id() {
    return id;
  }

  /** The wire name and version. */
  public WireName type() {
    return type;
  }

  /** The aggregate; empty for an event that was appended without one. */
  public Optional<Aggregate> aggregate() {
    return Optional.ofNullable(aggregate);
  }

  /** When it happened, in microseconds. */
  public Instant occurredAt() {
    return occurredAt;
  }

  /** Tenant, conversation, trace and headers. */
  public EventContext context() {
    return context;
  }

  /** See {@link EventOptions}. */
  public Optional<String> dedupeKey() {
    return Optional.ofNullable(dedupeKey);
  }

  /** The media type of the payload. */
  public String contentType() {
    return contentType;
  }

  /** The payload; shared, not copied. */
  public byte[] payload() {
    return payload;
  }

  /**
   * SHA-256 over every part of this envelope, each with its length before it, so that no two
   * envelopes share a hash by moving a character from one part to the next. It detects damage, not
   * an attacker who can write the hash too.
   */
  public byte[] sha256() {
    return EnvelopeHash.of(this);
  }

  /** Id, type and aggregate; never the payload or a header. */
  @Override
  public String toString() {
    return "event " + id + " (" + type + (aggregate == null ? ")" : ") of " + aggregate);
  }

  /**
   * With a tenant, the dedupe key must name it: two tenants who happen to use the same key would
   * otherwise swallow each other's events.
   */
  static void requireTenantInDedupeKey(@Nullable String tenant, @Nullable String dedupeKey) {
    if (tenant != null && dedupeKey != null && !dedupeKey.startsWith(tenant + "/")) {
      throw new EventRefusedException(
          "the dedupe key does not begin with the tenant and '/' (tenant "
              + Text.quoted(tenant)
              + "); use a key of the form '<tenant>/<your key>'");
    }
  }

  private static <T> T required(@Nullable T value, String field, Builder builder) {
    if (value == null) {
      throw new EventRefusedException(
          "event " + builder.id + " (" + builder.type + ") has no " + field);
    }
    return value;
  }

  /** Collects the parts of an envelope; {@link #build()} checks them together. */
  public static final class Builder {

    private final UUID id;
    private final WireName type;
    private @Nullable Aggregate aggregate;
    private @Nullable Instant occurredAt;
    private EventContext context = EventContext.none();
    private @Nullable String dedupeKey;
    private @Nullable String contentType;
    private byte @Nullable [] payload;

    private Builder(UUID id, WireName type) {
      this.id = Objects.requireNonNull(id, "id");
      this.type = Objects.requireNonNull(type, "type");
    }

    /** The aggregate; none by default. */
    public Builder aggregate(@Nullable Aggregate aggregate) {
      this.aggregate = aggregate;
      return this;
    }

    /** When it happened; cut to microseconds. Required. */
    public Builder occurredAt(Instant occurredAt) {
      this.occurredAt = occurredAt.truncatedTo(ChronoUnit.MICROS);
      return this;
    }

    /** The context; {@link EventContext#none()} by default. */
    public Builder context(EventContext context) {
      this.context = context;
      return this;
    }

    /** The dedupe key; none by default. */
    public Builder dedupeKey(@Nullable String dedupeKey) {
      this.dedupeKey = dedupeKey;
      return this;
    }

    /** The content type and the bytes, which are not copied. Required. */
    public Builder payload(String contentType, byte[] payload) {
      this.contentType = contentType;
      this.payload = payload;
      return this;
    }

    /** The envelope, or an {@link EventRefusedException} that names the part that is wrong. */
    public EventEnvelope build() {
      return new EventEnvelope(this);
    }
  }
}
