// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.DomainEvent;
import io.dddevents.EventEnvelope;
import io.dddevents.EventLimits;
import io.dddevents.EventRefusedException;
import io.dddevents.EventSerializer;
import io.dddevents.EventTypes;
import io.dddevents.RaisedEvent;
import io.dddevents.UnreadableEventException;
import io.dddevents.UnreadableEventException.Reason;
import io.dddevents.WireName;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events as JSON: camel case, ISO-8601 times, value objects as objects. It has a mapper of its own
 * with limits on depth, text, number and document, refuses duplicate keys in both directions, and
 * interprets no class name, whatever a payload says. What it writes, it can read.
 *
 * <p>Immutable and safe for many threads. Defaults: {@link EventTypes#open()}, payloads up to
 * {@value EventLimits#DEFAULT_PAYLOAD_BYTES} bytes, no metadata in the body, no upcasters.
 */
public final class JacksonEventSerializer implements EventSerializer {

  private static final String CONTENT_TYPE = "application/json";

  private final JsonMapper mapper;
  private final EventTypes types;
  private final int maxPayloadBytes;
  private final boolean metadataInBody;
  private final Map<WireName, Upcaster> upcasters;

  private JacksonEventSerializer(Builder builder) {
    this.mapper = StrictJson.mapper(builder.customizer, builder.maxPayloadBytes);
    this.types = builder.types;
    this.maxPayloadBytes = builder.maxPayloadBytes;
    this.metadataInBody = builder.metadataInBody;
    this.upcasters = Map.copyOf(builder.upcasters);
  }

  /** With the defaults. */
  public static JacksonEventSerializer create() {
    return builder().build();
  }

  /** Starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public byte[] serialize(RaisedEvent raised, WireName type) {
    BoundedOutput output = new BoundedOutput(maxPayloadBytes);
    try (JsonGenerator generator = new StrictGenerator(mapper.createGenerator(output))) {
      if (metadataInBody) {
        mapper.writeTree(generator, withMetadata(raised, type));
      } else {
        mapper.writeValue(generator, raised.event());
      }
    } catch (JacksonException e) {
      throw unwritable(raised, type, StrictJson.explain(e), StrictJson.applicationCause(e));
    } catch (EventRefusedException e) {
      throw unwritable(raised, type, String.valueOf(e.getMessage()), e);
    } catch (StackOverflowError e) {
      throw unwritable(raised, type, "it refers to itself or is nested too deeply", null);
    }
    if (output.written() > maxPayloadBytes) {
      throw new EventRefusedException(
          describe(raised, type)
              + " has a payload of "
              + output.written()
              + " bytes; at most "
              + maxPayloadBytes
              + " are allowed. Put large content elsewhere and its address into the event");
    }
    return output.toByteArray();
  }

  @Override
  public DomainEvent deserialize(EventEnvelope envelope) {
    requireJson(envelope);
    if (envelope.payload().length > maxPayloadBytes) {
      throw new UnreadableEventException(
          Reason.TOO_LARGE,
          envelope
              + " has a payload of "
              + envelope.payload().length
              + " bytes; at most "
              + maxPayloadBytes
              + " are allowed");
    }
    WireName type =
        new WireName(types.currentName(envelope.type().name()), envelope.type().version());
    return upcasters.containsKey(type) ? upcast(envelope, type) : read(envelope, type);
  }

  private DomainEvent read(EventEnvelope envelope, WireName type) {
    Class<? extends DomainEvent> target = types.classOf(type);
    try {
      return present(envelope, mapper.readValue(envelope.payload(), target));
    } catch (JacksonException e) {
      throw badPayload(envelope, e);
    }
  }

  private DomainEvent upcast(EventEnvelope envelope, WireName from) {
    try {
      if (!(mapper.readTree(envelope.payload()) instanceof ObjectNode payload)) {
        throw new UnreadableEventException(
            Reason.BAD_PAYLOAD, envelope + " has a payload that is not a JSON object");
      }
      WireName type = from;
      ObjectNode current = payload;
      for (Upcaster step = upcasters.get(type); step != null; step = upcasters.get(type)) {
        current = step.upcast(current);
        type = new WireName(type.name(), type.version() + 1);
      }
      return present(envelope, mapper.treeToValue(current, types.classOf(type)));
    } catch (JacksonException e) {
      throw badPayload(envelope, e);
    }
  }

  private ObjectNode withMetadata(RaisedEvent raised, WireName type) {
    JsonNode tree = mapper.valueToTree(raised.event());
    if (!(tree instanceof ObjectNode body)) {
      throw new EventRefusedException(
          describe(raised, type) + " is not a JSON object, so metadata cannot be put into it");
    }
    ObjectNode all = mapper.createObjectNode();
    all.put("eventId", raised.id().toString());
    all.put("occurredOn", raised.occurredAt().toString());
    all.put("eventVersion", type.version());
    for (Map.Entry<String, JsonNode> property : body.properties()) {
      if (all.has(property.getKey())) {
        throw new EventRefusedException(
            describe(raised, type)
                + " has a property '"
                + property.getKey()
                + "' of its own; rename it or switch metadata in the body off");
      }
      all.set(property.getKey(), property.getValue());
    }
    return all;
  }

  private static void requireJson(EventEnvelope envelope) {
    String contentType = envelope.contentType().toLowerCase(Locale.ROOT);
    int parameters = contentType.indexOf(';');
    String media = parameters < 0 ? contentType : contentType.substring(0, parameters).strip();
    if (!media.equals(CONTENT_TYPE) && !media.endsWith("+json")) {
      throw new UnreadableEventException(
          Reason.CONTENT_TYPE, envelope + " is not JSON; this serializer reads " + CONTENT_TYPE);
    }
  }

  private static DomainEvent present(EventEnvelope envelope, @Nullable DomainEvent event) {
    if (event == null) {
      throw new UnreadableEventException(
          Reason.BAD_PAYLOAD, envelope + " has the payload 'null'; an event needs content");
    }
    return event;
  }

  private static UnreadableEventException badPayload(EventEnvelope envelope, JacksonException e) {
    UnreadableEventException unreadable =
        new UnreadableEventException(
            Reason.BAD_PAYLOAD,
            envelope + " has a payload that does not fit: " + StrictJson.explain(e));
    Throwable cause = StrictJson.applicationCause(e);
    if (cause != null) {
      unreadable.initCause(cause);
    }
    return unreadable;
  }

  private static EventRefusedException unwritable(
      RaisedEvent raised, WireName type, String why, @Nullable Throwable cause) {
    String message = describe(raised, type) + " cannot be written as JSON: " + why;
    return cause == null
        ? new EventRefusedException(message)
        : new EventRefusedException(message, cause);
  }

  private static String describe(RaisedEvent raised, WireName type) {
    return "event " + raised.id() + " (" + type + ", " + raised.event().getClass().getName() + ")";
  }

  /** Collects the settings. */
  public static final class Builder {

    private EventTypes types = EventTypes.open();
    private int maxPayloadBytes = EventLimits.DEFAULT_PAYLOAD_BYTES;
    private boolean metadataInBody;
    private Consumer<JsonMapper.Builder> customizer = builder -> {};
    private final Map<WireName, Upcaster> upcasters = new HashMap<>();

    private Builder() {}

    /** The classes to read. Defaults to none: enough to write. */
    public Builder types(EventTypes types) {
      this.types = types;
      return this;
    }

    /**
     * The largest payload, at most {@value EventLimits#MAX_PAYLOAD_BYTES} bytes. Defaults to
     * {@value EventLimits#DEFAULT_PAYLOAD_BYTES}.
     */
    public Builder maxPayloadBytes(int maxPayloadBytes) {
      if (maxPayloadBytes < 1 || maxPayloadBytes > EventLimits.MAX_PAYLOAD_BYTES) {
        throw new IllegalArgumentException(
            "maxPayloadBytes must be from 1 to "
                + EventLimits.MAX_PAYLOAD_BYTES
                + ", was "
                + maxPayloadBytes);
      }
      this.maxPayloadBytes = maxPayloadBytes;
      return this;
    }

    /** Also writes {@code eventId}, {@code occurredOn} and {@code eventVersion} into the body. */
    public Builder metadataInBody(boolean metadataInBody) {
      this.metadataInBody = metadataInBody;
      return this;
    }

    /** Leads payloads of the given type and version to the next version. */
    public Builder upcast(String type, int fromVersion, Upcaster upcaster) {
      WireName from = new WireName(type, fromVersion);
      if (upcasters.putIfAbsent(from, upcaster) != null) {
        throw new IllegalArgumentException("two upcasters are registered for " + from);
      }
      return this;
    }

    /**
     * Adds modules or mix-ins to the mapper. Limits, strictness and the ban on class names are set
     * afterwards and cannot be loosened.
     */
    public Builder customize(Consumer<JsonMapper.Builder> customizer) {
      this.customizer = this.customizer.andThen(customizer);
      return this;
    }

    /** The serializer. */
    public JacksonEventSerializer build() {
      return new JacksonEventSerializer(this);
    }
  }
}
