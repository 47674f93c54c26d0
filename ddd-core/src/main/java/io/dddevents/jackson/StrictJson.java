// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dddevents.EventRefusedException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;

/** The mapper's limits, and how its complaints are told without quoting what it read. */
final class StrictJson {

  static final int MAX_DEPTH = 100;
  static final int MAX_NUMBER_LENGTH = 1000;
  static final int MAX_NAME_LENGTH = 1000;

  private StrictJson() {}

  static JsonMapper mapper(Consumer<JsonMapper.Builder> customizer, int maxBytes) {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxDocumentLength(maxBytes)
                    .maxStringLength(maxBytes)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .build())
            .streamWriteConstraints(
                StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();
    JsonMapper.Builder builder = JsonMapper.builder(factory);
    // Declaration order and constant names: what the author of the record reads is what travels.
    builder
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
        .disable(
            DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
            DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
            DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        // Upcasters work on trees: an amount must come out of one as it went in.
        .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    customizer.accept(builder);
    return builder
        .addModule(new SimpleModule("ddd-events").setSerializerModifier(new PersistentTypes()))
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION)
        .disable(JsonReadFeature.values())
        .enable(JsonWriteFeature.QUOTE_PROPERTY_NAMES)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .deactivateDefaultTyping()
        // Allows no class at all: a type id of the form "@class" is data, or an error, never code.
        .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build())
        .build();
  }

  /** {@code application/json}, {@code application/vnd.shop+json}, with parameters or without. */
  static boolean isJson(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT);
    int parameters = type.indexOf(';');
    String media = parameters < 0 ? type : type.substring(0, parameters).strip();
    return media.equals("application/json") || media.endsWith("+json");
  }

  /** Strictly UTF-8, where Jackson would guess UTF-16 and take overlong sequences. */
  static JsonParser parser(JsonMapper mapper, byte[] json) throws CharacterCodingException {
    String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
    return new StrictParser(mapper.createParser(text));
  }

  /** What went wrong and where, without the value: Jackson's own messages quote it. */
  static String explain(JacksonException e) {
    StringBuilder text = new StringBuilder(kind(e));
    String path = path(e);
    if (!path.isEmpty()) {
      text.append(" at ").append(path);
    }
    TokenStreamLocation location = e.getLocation();
    if (location != null && location.getLineNr() > 0) {
      text.append(" (line ").append(location.getLineNr());
      text.append(", column ").append(location.getColumnNr()).append(')');
    }
    return text.toString();
  }

  /**
   * The application's own exception, if one is behind Jackson's. What the JDK says about a value
   * that it cannot read is none: it quotes the value.
   */
  static @Nullable Throwable applicationCause(JacksonException e) {
    Throwable cause = e;
    while (cause instanceof JacksonException jackson) {
      if (jackson instanceof MismatchedInputException || jackson instanceof StreamReadException) {
        return null;
      }
      cause = jackson.getCause();
    }
    return cause;
  }

  private static String kind(JacksonException e) {
    Throwable cause = applicationCause(e);
    if (cause instanceof EventRefusedException refused) {
      return String.valueOf(refused.getMessage());
    }
    if (cause != null) {
      return "the application threw " + cause.getClass().getName();
    }
    if (e instanceof StreamConstraintsException || e instanceof InvalidDefinitionException) {
      // These speak of limits and classes only.
      return String.valueOf(e.getOriginalMessage());
    }
    if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      return "no value of " + mismatch.getTargetType().getName();
    }
    return "not valid (" + e.getClass().getSimpleName() + ")";
  }

  private static String path(JacksonException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      if (path.length() > 200) {
        return path.append("…").toString();
      }
      String name = step.getPropertyName();
      if (name == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else if (isDeclared(name, step.from())) {
        path.append(path.isEmpty() ? "" : ".").append(name);
      } else {
        path.append("[key]");
      }
    }
    return path.toString();
  }

  /** Whether a name stands in the source of a class; else it may be the key of a map: content. */
  private static boolean isDeclared(String name, @Nullable Object from) {
    Class<?> type = from instanceof Class<?> c ? c : from == null ? null : from.getClass();
    for (; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}
