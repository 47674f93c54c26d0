// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dddevents.Aggregate;
import java.net.URLEncoder;
import java.util.HexFormat;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.CompositeType;
import org.hibernate.type.EntityType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Names an aggregate from what Hibernate knows about it, never from its Java class: that may be a
 * proxy. The id's text is the same on every node and in every release.
 */
final class AggregateIdentity {

  private AggregateIdentity() {}

  static Aggregate of(
      EntityPersister persister,
      Object id,
      @Nullable Object version,
      SharedSessionContractImplementor session) {
    return new Aggregate(
        persister.getImportedName(),
        text(persister.getIdentifierType(), id, session),
        version instanceof Number number ? number.longValue() : null);
  }

  /** {@code 42}; for a composite id {@code branch=7&number=A-13}, encoded as in a web form. */
  private static String text(Type type, Object id, SharedSessionContractImplementor session) {
    if (type instanceof CompositeType composite) {
      StringBuilder text = new StringBuilder();
      String[] names = composite.getPropertyNames();
      Object[] values = composite.getPropertyValues(id, session);
      Type[] types = composite.getSubtypes();
      for (int i = 0; i < names.length; i++) {
        text.append(i == 0 ? "" : "&").append(names[i]).append('=');
        text.append(URLEncoder.encode(text(types[i], values[i], session), UTF_8));
      }
      return text.toString();
    }
    if (type instanceof EntityType association) {
      EntityPersister target =
          session
              .getFactory()
              .getMappingMetamodel()
              .getEntityDescriptor(association.getAssociatedEntityName());
      Object targetId =
          target.isInstance(id) || target.getMappedClass().isInstance(id)
              ? session.getContextEntityIdentifier(id)
              : id;
      return text(target.getIdentifierType(), targetId == null ? id : targetId, session);
    }
    return id instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(id);
  }
}
