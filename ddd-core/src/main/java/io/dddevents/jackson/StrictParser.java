// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.util.JsonParserDelegate;

/** Refuses numbers beyond the range of their type; Jackson would make {@code 1e999} infinite. */
final class StrictParser extends JsonParserDelegate {

  StrictParser(JsonParser parser) {
    super(parser);
  }

  @Override
  public double getDoubleValue() {
    return finite(delegate.getDoubleValue());
  }

  @Override
  public float getFloatValue() {
    return (float) finite(delegate.getFloatValue());
  }

  @Override
  public Number getNumberValue() {
    Number number = delegate.getNumberValue();
    if (number instanceof Double || number instanceof Float) {
      finite(number.doubleValue());
    }
    return number;
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw new StreamConstraintsException("a number is beyond the range of its type");
    }
    return value;
  }
}
