// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import io.dddevents.DomainEvent;
import io.dddevents.EventType;

/** Something happened; what, is all that the suite wants to know. */
@EventType("test.happened")
public record Happened(String what) implements DomainEvent {}
