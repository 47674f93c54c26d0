// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.jackson;

import java.io.ByteArrayOutputStream;

/**
 * Keeps at most so many bytes but counts them all: a payload that is too large costs no memory, and
 * the refusal can say how large it is.
 */
final class BoundedOutput extends ByteArrayOutputStream {

  private final int limit;
  private long written;

  BoundedOutput(int limit) {
    super(512);
    this.limit = limit;
  }

  long written() {
    return written;
  }

  @Override
  public synchronized void write(int b) {
    written++;
    if (written <= limit) {
      super.write(b);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    written += length;
    if (written <= limit) {
      super.write(bytes, offset, length);
    }
  }
}
