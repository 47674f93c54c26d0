// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.DomainEvent;
import java.time.Instant;

/** The example event of document 002, with its payload as that document prints it. */
record FamilyMemberInvited(
    Value invitationId,
    Value familyId,
    Value email,
    Value role,
    Value token,
    Instant expiresAt,
    Value invitedByUserId,
    boolean isResend)
    implements DomainEvent {

  record Value(String value) {}

  static final FamilyMemberInvited EXAMPLE =
      new FamilyMemberInvited(
          new Value("123e4567-e89b-12d3-a456-426614174000"),
          new Value("789e4567-e89b-12d3-a456-426614174000"),
          new Value("john@example.com"),
          new Value("Member"),
          new Value("abc123..."),
          Instant.parse("2026-01-19T00:00:00Z"),
          new Value("456e4567-e89b-12d3-a456-426614174000"),
          false);

  static final String EXAMPLE_JSON =
      """
      {
        "eventId": "550e8400-e29b-41d4-a716-446655440000",
        "occurredOn": "2026-01-05T00:00:00Z",
        "eventVersion": 1,
        "invitationId": {
          "value": "123e4567-e89b-12d3-a456-426614174000"
        },
        "familyId": {
          "value": "789e4567-e89b-12d3-a456-426614174000"
        },
        "email": {
          "value": "john@example.com"
        },
        "role": {
          "value": "Member"
        },
        "token": {
          "value": "abc123..."
        },
        "expiresAt": "2026-01-19T00:00:00Z",
        "invitedByUserId": {
          "value": "456e4567-e89b-12d3-a456-426614174000"
        },
        "isResend": false
      }
      """;
}
