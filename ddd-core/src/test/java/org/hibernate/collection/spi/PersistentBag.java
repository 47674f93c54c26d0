// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package org.hibernate.collection.spi;

import java.util.ArrayList;
import java.util.List;

/** Stands for Hibernate's lazy list, which this module knows by name only. */
public final class PersistentBag<E> extends ArrayList<E> {

  public PersistentBag(List<E> elements) {
    super(elements);
  }
}
