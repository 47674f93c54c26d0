// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import jakarta.persistence.Entity;

/** Its entity name is not its class name. */
@Entity(name = "Hound")
public class Dog extends Animal {}
