// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.EventRefusedException;
import io.dddevents.RaisesEvents;
import java.lang.annotation.Annotation;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/**
 * Refuses entities, proxies and lazy collections as part of a payload: they change after the event
 * was raised, drag half the database along, and tie consumers to our tables. Recognised by name,
 * because this module knows neither JPA nor Hibernate. Asked once per class, not per event.
 */
final class PersistentTypes extends ValueSerializerModifier {

  private static final long serialVersionUID = 1L;

  @Override
  public ValueSerializer<?> modifySerializer(
      SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
    refuseEntity(bean.getBeanClass());
    return serializer;
  }

  @Override
  public ValueSerializer<?> modifyCollectionSerializer(
      SerializationConfig config,
      CollectionType type,
      BeanDescription.Supplier bean,
      ValueSerializer<?> serializer) {
    refuseLazyCollection(type.getRawClass());
    return serializer;
  }

  @Override
  public ValueSerializer<?> modifyMapSerializer(
      SerializationConfig config,
      MapType type,
      BeanDescription.Supplier bean,
      ValueSerializer<?> serializer) {
    refuseLazyCollection(type.getRawClass());
    return serializer;
  }

  private static void refuseEntity(Class<?> type) {
    boolean persistent = RaisesEvents.class.isAssignableFrom(type);
    for (Class<?> c = type; c != null && !persistent; c = c.getSuperclass()) {
      for (Annotation annotation : c.getAnnotations()) {
        persistent |= annotation.annotationType().getName().equals("jakarta.persistence.Entity");
      }
    }
    if (persistent) {
      throw new EventRefusedException(
          type.getName() + " is an entity; map what consumers need to the event record");
    }
  }

  private static void refuseLazyCollection(Class<?> type) {
    if (type.getName().startsWith("org.hibernate.")) {
      throw new EventRefusedException(
          type.getName() + " is a collection of Hibernate's; copy it, for example by List.copyOf");
    }
  }
}
