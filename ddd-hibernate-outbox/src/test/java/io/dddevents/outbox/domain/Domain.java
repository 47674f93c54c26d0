// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox.domain;

import java.util.List;

/** All entities of the suite. */
public final class Domain {

  public static final List<Class<?>> ENTITIES =
      List.of(
          Ord.class,
          Line.class,
          Customer.class,
          Token.class,
          Doc.class,
          Ledger.class,
          Seat.class,
          Shelf.class,
          Animal.class,
          Dog.class,
          Imported.class);

  private Domain() {}
}
