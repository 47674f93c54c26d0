// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hash that is stored with an event and travels with it. The order of the parts below is the
 * format: a change needs another {@link #FORMAT} and a way to read the old one, because rows and
 * messages outlive a release.
 */
final class EnvelopeHash {

  private static final String FORMAT = "ddd-events/1";
  private static final int ABSENT = -1;

  private final MessageDigest digest;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  private EnvelopeHash() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static byte[] of(EventEnvelope envelope) {
    EnvelopeHash hash = new EnvelopeHash();
    hash.text(FORMAT);
    hash.number(envelope.id().getMostSignificantBits());
    hash.number(envelope.id().getLeastSignificantBits());
    hash.text(envelope.type().name());
    hash.number(envelope.type().version());
    hash.aggregate(envelope.aggregate().orElse(null));
    hash.instant(envelope.occurredAt());
    hash.context(envelope.context());
    hash.text(envelope.dedupeKey().orElse(null));
    hash.text(envelope.contentType());
    hash.bytes(envelope.payload());
    return hash.digest.digest();
  }

  private void aggregate(@Nullable Aggregate aggregate) {
    if (aggregate == null) {
      number(ABSENT);
      return;
    }
    text(aggregate.type());
    text(aggregate.id());
    Long version = aggregate.version();
    number(version == null ? ABSENT : version);
  }

  private void context(EventContext context) {
    text(context.tenant());
    text(context.correlationId());
    text(context.causationId());
    text(context.traceparent());
    number(context.headers().size());
    for (Map.Entry<String, String> header : context.headers().entrySet()) {
      text(header.getKey());
      text(header.getValue());
    }
  }

  private void instant(Instant instant) {
    number(instant.getEpochSecond());
    number(instant.getNano());
  }

  private void text(@Nullable String text) {
    if (text == null) {
      number(ABSENT);
    } else {
      bytes(text.getBytes(UTF_8));
    }
  }

  private void bytes(byte[] bytes) {
    number(bytes.length);
    digest.update(bytes);
  }

  private void number(long value) {
    digest.update(number.clear().putLong(value).flip());
  }
}
