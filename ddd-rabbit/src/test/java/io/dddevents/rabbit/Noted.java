// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.DomainEvent;
import io.dddevents.EventType;

/** What the consumer's tests handle. Version 1 had no number. */
@EventType(value = "test.noted", version = 2)
record Noted(String what, int number) implements DomainEvent {}
