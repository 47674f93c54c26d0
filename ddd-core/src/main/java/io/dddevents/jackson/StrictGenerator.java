// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import io.dddevents.EventRefusedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;

/**
 * Refuses numbers that JSON does not have or that a consumer would refuse. Jackson would write NaN
 * as a text, which comes back as something else.
 */
final class StrictGenerator extends JsonGeneratorDelegate {

  StrictGenerator(JsonGenerator generator) {
    super(generator);
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
    // 3.33 bits a digit: cheap, and close enough to refuse before the text is made.
    requireLength(value.bitLength() * 10L / 33);
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(BigDecimal value) {
    requireLength(value.precision());
    requireLength(Math.abs((long) value.scale()));
    delegate.writeNumber(value);
    return this;
  }

  @Override
  public JsonGenerator writeNumber(String value) {
    requireLength(value.length());
    delegate.writeNumber(value);
    return this;
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
