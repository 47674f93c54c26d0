// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where a Failed event goes when its table refuses it: one line of JSON for each, on the disk
 * before {@link #append} returns. The file is opened for every line, so an operator may move it
 * away at any time; it holds payloads, so only its owner can read it.
 */
final class FailureFile {

  /** Two relays of one JVM may share a file. */
  private static final Object LOCK = new Object();

  private final Path path;

  FailureFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  void append(FailureRecord failure) throws IOException {
    synchronized (LOCK) {
      boolean isNew = !Files.exists(path);
      // What a crash left of a line must not swallow the next one.
      String line = (endsInALine(isNew) ? "" : "\n") + failure.toLine() + "\n";
      try (FileChannel channel =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
              onlyForTheOwner())) {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(US_ASCII));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      if (isNew) {
        syncFolder();
      }
    }
  }

  private boolean endsInALine(boolean isNew) throws IOException {
    if (isNew) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() == 0
          || (channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n');
    }
  }

  /** Else a crash of the machine could lose the file's name. Not every system can do it. */
  private void syncFolder() throws IOException {
    Path folder = path.getParent();
    if (folder != null && isPosix()) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static FileAttribute<?>[] onlyForTheOwner() {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
