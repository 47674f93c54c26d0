// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import io.dddevents.DomainEvent;
import io.dddevents.EventType;

/** Registered, but nobody handles it. */
@EventType("test.unwanted")
record Unwanted(String what) implements DomainEvent {}
