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
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
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
  private final Upcasters upcasters;

  private JacksonEventSerializer(Builder builder) {
    this.mapper = StrictJson.mapper(builder.customizer, builder.maxPayloadBytes);
    this.types = builder.types;
    this.maxPayloadBytes = builder.maxPayloadBytes;
    this.metadataInBody = builder.metadataInBody;
    this.upcasters = new Upcasters(builder.upcasters, types);
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
    try (JsonGenerator generator = mapper.createGenerator(output)) {
      if (metadataInBody) {
        writeWithMetadata(generator, raised, type);
      } else {
        mapper.writeValue(new StrictGenerator(generator), raised.event());
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
              + tooLarge(output.written())
              + ". Put large content elsewhere and its address into the event");
    }
    return output.toByteArray();
  }

  @Override
  public DomainEvent deserialize(EventEnvelope envelope) {
    requireJson(envelope);
    if (envelope.payload().length > maxPayloadBytes) {
      throw new UnreadableEventException(
          Reason.TOO_LARGE, envelope + tooLarge(envelope.payload().length));
    }
    WireName type =
        new WireName(types.currentName(envelope.type().name()), envelope.type().version());
    try (JsonParser parser = StrictJson.parser(mapper, envelope.payload())) {
      DomainEvent event =
          upcasters.leadFrom(type)
              ? upcast(envelope, type, parser)
              : mapper.readValue(parser, classOf(envelope, type));
      return present(envelope, event);
    } catch (UnreadableEventException e) {
      throw e;
    } catch (JacksonException e) {
      throw badPayload(envelope, StrictJson.explain(e), StrictJson.applicationCause(e));
    } catch (CharacterCodingException e) {
      throw badPayload(envelope, "it is not UTF-8", e);
    } catch (RuntimeException e) {
      throw badPayload(envelope, "the application threw " + e.getClass().getName(), e);
    }
  }

  private DomainEvent upcast(EventEnvelope envelope, WireName from, JsonParser parser) {
    if (!(mapper.readTree(parser) instanceof ObjectNode payload)) {
      throw badPayload(envelope, "it is not a JSON object", null);
    }
    Class<? extends DomainEvent> target = classOf(envelope, upcasters.target(from));
    return mapper.treeToValue(upcasters.upcast(from, payload), target);
  }

  private void writeWithMetadata(JsonGenerator generator, RaisedEvent raised, WireName type) {
    MetadataGenerator metadata = new MetadataGenerator(generator, raised, type.version());
    mapper.writeValue(new StrictGenerator(metadata), raised.event());
    if (!metadata.isComplete()) {
      throw new EventRefusedException("it is not an object, so metadata cannot be put into it");
    }
  }

  private String tooLarge(long bytes) {
    return " has a payload of " + bytes + " bytes; at most " + maxPayloadBytes + " are allowed";
  }

  private Class<? extends DomainEvent> classOf(EventEnvelope envelope, WireName type) {
    try {
      return types.classOf(type);
    } catch (UnreadableEventException e) {
      throw new UnreadableEventException(e.reason(), envelope + ": " + e.getMessage());
    }
  }

  private static void requireJson(EventEnvelope envelope) {
    if (!StrictJson.isJson(envelope.contentType())) {
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

  private static UnreadableEventException badPayload(
      EventEnvelope envelope, String why, @Nullable Throwable cause) {
    String message = envelope + " has a payload that does not fit: " + why;
    return cause == null
        ? new UnreadableEventException(Reason.BAD_PAYLOAD, message)
        : new UnreadableEventException(Reason.BAD_PAYLOAD, message, cause);
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
