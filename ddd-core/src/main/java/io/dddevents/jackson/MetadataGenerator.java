// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.EventRefusedException;
import io.dddevents.RaisedEvent;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.util.JsonGeneratorDelegate;

/**
 * Puts the metadata at the front of the outermost object while it is written. Not by way of a tree:
 * a tree would forgive duplicate keys, know no limit on depth, and hold the whole payload.
 */
final class MetadataGenerator extends JsonGeneratorDelegate {

  private static final Set<String> NAMES = Set.of("eventId", "occurredOn", "eventVersion");

  private final RaisedEvent raised;
  private final int version;
  private boolean complete;

  MetadataGenerator(JsonGenerator generator, RaisedEvent raised, int version) {
    super(generator, false);
    this.raised = raised;
    this.version = version;
  }

  /** Whether there was an object to put the metadata into. */
  boolean isComplete() {
    return complete;
  }

  @Override
  public JsonGenerator writeStartObject() {
    delegate.writeStartObject();
    return begun();
  }

  @Override
  public JsonGenerator writeStartObject(Object value) {
    delegate.writeStartObject(value);
    return begun();
  }

  @Override
  public JsonGenerator writeStartObject(Object value, int size) {
    delegate.writeStartObject(value, size);
    return begun();
  }

  @Override
  public JsonGenerator writeName(String name) {
    requireFree(name);
    delegate.writeName(name);
    return this;
  }

  @Override
  public JsonGenerator writeName(SerializableString name) {
    requireFree(name.getValue());
    delegate.writeName(name);
    return this;
  }

  private JsonGenerator begun() {
    if (isOutermost()) {
      delegate.writeName("eventId");
      delegate.writeString(raised.id().toString());
      delegate.writeName("occurredOn");
      delegate.writeString(raised.occurredAt().toString());
      delegate.writeName("eventVersion");
      delegate.writeNumber(version);
      complete = true;
    }
    return this;
  }

  private void requireFree(String name) {
    if (NAMES.contains(name) && isOutermost()) {
      throw new EventRefusedException(
          "it has a property '"
              + name
              + "' of its own; rename it or switch metadata in the body off");
    }
  }

  private boolean isOutermost() {
    TokenStreamContext parent = delegate.streamWriteContext().getParent();
    return parent != null && parent.inRoot();
  }
}
