// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.EventRefusedException;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.core.util.JsonGeneratorDelegate;

/**
 * Refuses what JSON does not have or what a consumer would refuse: Jackson alone writes NaN as a
 * text, half a surrogate pair as an escape that not every reader takes, and raw JSON unread.
 */
final class StrictGenerator extends JsonGeneratorDelegate {

  private static final int MARGIN = 10;

  StrictGenerator(JsonGenerator generator) {
    // False: a serializer that hands an object back to the generator must come past these checks.
    super(generator, false);
  }

  @Override
  public JsonGenerator writeName(String name) {
    requireName(name);
    delegate.writeName(name);
    return this;
  }

  @Override
  public JsonGenerator writeName(SerializableString name) {
    requireName(name.getValue());
    delegate.writeName(name);
    return this;
  }

  @Override
  public JsonGenerator writeString(String text) {
    if (text != null) {
      requireWellFormed(text);
    }
    delegate.writeString(text);
    return this;
  }

  @Override
  public JsonGenerator writeString(char[] text, int offset, int length) {
    return writeString(new String(text, offset, length));
  }

  @Override
  public JsonGenerator writeString(SerializableString text) {
    requireWellFormed(text.getValue());
    delegate.writeString(text);
    return this;
  }

  @Override
  public JsonGenerator writeString(Reader reader, int length) {
    throw unchecked();
  }

  @Override
  public JsonGenerator writeArray(String[] texts, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      requireWellFormed(texts[i]);
    }
    delegate.writeArray(texts, offset, length);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(double value) {
    requireFinite(Double.isFinite(value));
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(float value) {
    requireFinite(Float.isFinite(value));
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeArray(double[] values, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      requireFinite(Double.isFinite(values[i]));
    }
    delegate.writeArray(values, offset, length);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(BigInteger value) {
    // About 3.32 bits a digit: counted exactly only where that may decide.
    long estimate = value.bitLength() * 10L / 33;
    boolean near = Math.abs(estimate - StrictJson.MAX_NUMBER_LENGTH) < MARGIN;
    requireLength(near ? value.abs().toString().length() : estimate);
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(BigDecimal value) {
    long scale = Math.abs((long) value.scale());
    requireLength(value.precision());
    requireLength(scale);
    if (value.precision() + scale > StrictJson.MAX_NUMBER_LENGTH - MARGIN) {
      requireLength(Math.max(value.toString().length(), value.toPlainString().length()));
    }
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(String value) {
    requireLength(value.length());
    try {
      return writeNumber(new BigDecimal(value));
    } catch (NumberFormatException e) {
      throw new EventRefusedException("a number that is none in JSON");
    }
  }

  @Override
  public JsonGenerator writeNumber(char[] value, int offset, int length) {
    return writeNumber(new String(value, offset, length));
  }

  @Override
  public JsonGenerator writeRaw(String text) {
    throw unchecked();
  }

  @Override
  public JsonGenerator writeRaw(SerializableString text) {
    throw unchecked();
  }

  @Override
  public JsonGenerator writeRawValue(String text) {
    throw unchecked();
  }

  @Override
  public JsonGenerator writeRawValue(SerializableString text) {
    throw unchecked();
  }

  @Override
  public WritableTypeId writeTypePrefix(WritableTypeId type) {
    // What JsonTypeInfo's CLASS and MINIMAL_CLASS would write; no reader of ours takes it.
    String id = String.valueOf(type.id);
    if (id.startsWith(".") || (type.forValue != null && isClassName(id, type.forValue))) {
      throw new EventRefusedException(
          "a class name must not travel in a payload; use @JsonTypeInfo(use = Id.NAME)");
    }
    return super.writeTypePrefix(type);
  }

  private static boolean isClassName(String id, Object value) {
    return id.startsWith(value.getClass().getName());
  }

  private static EventRefusedException unchecked() {
    return new EventRefusedException(
        "raw JSON is not checked; use a record, a map or a tools.jackson.databind.JsonNode");
  }

  private static void requireName(String name) {
    requireWellFormed(name);
    if (name.length() > StrictJson.MAX_NAME_LENGTH) {
      throw new EventRefusedException(
          "a property name has "
              + name.length()
              + " characters; at most "
              + StrictJson.MAX_NAME_LENGTH
              + " are allowed");
    }
  }

  private static void requireWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          throw new EventRefusedException(
              "a text has half a surrogate pair at position " + i + "; it is not valid Unicode");
        }
        i++;
      }
    }
  }

  private static void requireFinite(boolean finite) {
    if (!finite) {
      throw new EventRefusedException("JSON has no NaN and no infinity");
    }
  }

  private static void requireLength(long digits) {
    if (digits > StrictJson.MAX_NUMBER_LENGTH) {
      throw new EventRefusedException(
          "a number has "
              + digits
              + " digits; at most "
              + StrictJson.MAX_NUMBER_LENGTH
              + " are allowed");
    }
  }
}
