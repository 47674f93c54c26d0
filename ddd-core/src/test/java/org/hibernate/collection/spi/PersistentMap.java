// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package org.hibernate.collection.spi;

import java.util.HashMap;
import java.util.Map;

/** Stands for Hibernate's lazy map, which this module knows by name only. */
public final class PersistentMap<K, V> extends HashMap<K, V> {

  public PersistentMap(Map<K, V> entries) {
    super(entries);
  }
}
