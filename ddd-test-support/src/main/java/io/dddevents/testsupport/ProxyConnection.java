// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One client and its server, with a thread for each direction. */
final class ProxyConnection {
  private static final int CHUNK = 16 * 1024;

  private final Socket client;
  private final Socket server;
  private final Gate gate;
  private final Consumer<ProxyConnection> onEnd;
  private final AtomicInteger openDirections = new AtomicInteger(2);
  private volatile boolean ended;

  ProxyConnection(Socket client, Socket server, Gate gate, Consumer<ProxyConnection> onEnd) {
    this.client = client;
    this.server = server;
    this.gate = gate;
    this.onEnd = onEnd;
  }

  void start(AtomicLong bytesToServer, AtomicLong bytesToClient) throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    pump(true, client, server, bytesToServer);
    pump(false, server, client, bytesToClient);
  }

  private void pump(boolean toServer, Socket from, Socket to, AtomicLong counter) {
    String name = "ddd-proxy-" + client.getLocalPort() + (toServer ? "-up" : "-down");
    Thread thread =
        new Thread(
            () -> {
              try {
                copy(toServer, from, to, counter);
                endDirection(to);
              } catch (IOException | InterruptedException e) {
                // One side is gone without a goodbye; so the other learns it without one.
                reset();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void copy(boolean toServer, Socket from, Socket to, AtomicLong counter)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK];
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    for (int n = read(toServer, in, buffer); n >= 0; n = read(toServer, in, buffer)) {
      if (gate.admits(toServer, () -> ended)) {
        gate.pace(n);
        write(toServer, out, buffer, n);
        counter.addAndGet(n);
      }
    }
    gate.awaitEndMayPass(toServer, () -> ended);
  }

  private int read(boolean toServer, InputStream in, byte[] buffer)
      throws IOException, InterruptedException {
    try {
      return in.read(buffer, 0, gate.chunk(buffer.length));
    } catch (IOException e) {
      // A reset travels like bytes do: a black hole swallows it too.
      gate.awaitEndMayPass(toServer, () -> ended);
      throw e;
    }
  }

  private void write(boolean toServer, OutputStream out, byte[] bytes, int length)
      throws IOException, InterruptedException {
    try {
      out.write(bytes, 0, length);
    } catch (IOException e) {
      // This one came from the receiver, so it travels the other way.
      gate.awaitEndMayPass(!toServer, () -> ended);
      throw e;
    }
  }

  private void endDirection(Socket to) throws IOException {
    to.shutdownOutput();
    if (openDirections.decrementAndGet() == 0) {
      client.close();
      server.close();
      finish();
    }
  }

  /** Ends both sides at once, with a reset instead of an orderly end. */
  void reset() {
    reset(client);
    reset(server);
    finish();
  }

  private void finish() {
    ended = true;
    onEnd.accept(this);
    gate.wake();
  }

  static void reset(Socket socket) {
    try {
      // Linger of zero makes close() send RST and throw away what is unsent.
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed already, which is what was wanted.
      return;
    }
  }
}
