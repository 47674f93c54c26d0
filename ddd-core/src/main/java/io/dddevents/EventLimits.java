// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

/**
 * What an event may measure. The limits come from AMQP 0-9-1 (short strings of 255 bytes, one frame
 * of headers) and from the columns of the outbox; they are checked when the event is captured, the
 * only moment at which the author of a mistake is still there.
 */
public final class EventLimits {

  /** Characters of a wire name (ASCII, so bytes too). */
  public static final int TYPE_LENGTH = 200;

  /** The highest version of a type. */
  public static final int TYPE_VERSION = Short.MAX_VALUE;

  /** Bytes of an aggregate type in UTF-8. */
  public static final int AGGREGATE_TYPE_BYTES = 200;

  /** Bytes of an aggregate id in UTF-8. */
  public static final int AGGREGATE_ID_BYTES = 200;

  /** Bytes of a tenant in UTF-8. */
  public static final int TENANT_BYTES = 100;

  /** Bytes of a correlation or causation id in UTF-8. */
  public static final int CORRELATION_BYTES = 200;

  /** Bytes of a dedupe key in UTF-8. */
  public static final int DEDUPE_KEY_BYTES = 200;

  /** Headers on one event. */
  public static final int HEADER_COUNT = 64;

  /** Characters of a header name (ASCII, so bytes too). */
  public static final int HEADER_NAME_LENGTH = 128;

  /** Bytes of all header names and values together in UTF-8. */
  public static final int HEADERS_BYTES = 64 * 1024;

  /** Bytes of a payload unless the serializer is told otherwise. */
  public static final int DEFAULT_PAYLOAD_BYTES = 256 * 1024;

  /** Bytes of a payload at the most, whatever a serializer is told. */
  public static final int MAX_PAYLOAD_BYTES = 1024 * 1024;

  private EventLimits() {}
}
