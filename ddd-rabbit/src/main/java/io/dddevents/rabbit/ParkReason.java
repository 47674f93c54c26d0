// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.UnreadableEventException;

/** Why a message was parked instead of handled. */
public enum ParkReason {
  /** It has no message id, so nobody could tell whether it was handled before. */
  NO_ID,
  /** A property or header is missing, ill-formed or beyond a limit. */
  BAD_ENVELOPE,
  /** No class is registered for its type; none was looked up. */
  UNKNOWN_TYPE,
  /** Its type is known, but not in this version. */
  UNSUPPORTED_VERSION,
  /** The serializer does not read its content type. */
  CONTENT_TYPE,
  /** It is compressed or otherwise encoded; we decode nothing. */
  CONTENT_ENCODING,
  /** Its body is larger than allowed. */
  TOO_LARGE,
  /** Its body is not what its type demands. */
  BAD_PAYLOAD,
  /** Its hash is missing or wrong. */
  INTEGRITY,
  /** It is new to the inbox, but older than the inbox remembers. */
  TOO_OLD,
  /** It claims to come from the future. */
  CLOCK,
  /** Its id was handled before with another content. */
  ID_CONFLICT,
  /** It belongs to a tenant that this consumer does not serve. */
  FOREIGN_TENANT,
  /** Its class is registered, but no handler of this consumer takes it. */
  NO_HANDLER,
  /** The handler failed in every attempt. */
  HANDLER_FAILED,
  /** The broker moved it here: too many consumers died with it in their hands. */
  DELIVERY_LIMIT;

  static ParkReason of(UnreadableEventException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_TYPE -> UNKNOWN_TYPE;
      case UNSUPPORTED_VERSION -> UNSUPPORTED_VERSION;
      case CONTENT_TYPE -> CONTENT_TYPE;
      case TOO_LARGE -> TOO_LARGE;
      case BAD_PAYLOAD -> BAD_PAYLOAD;
      case BAD_ENVELOPE -> BAD_ENVELOPE;
    };
  }
}
