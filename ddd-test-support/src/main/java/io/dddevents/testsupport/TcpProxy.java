// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network between a client and a server that fails on demand. It starts in {@link Mode#PASS}.
 *
 * <p>Safe for many threads. A change of the mode holds for existing connections as well as for new
 * ones, and for every byte that has not been forwarded yet.
 */
public final class TcpProxy implements AutoCloseable {
  /** What the network does. */
  public enum Mode {
    /** Forwards everything; releases what was held, in order. */
    PASS,
    /** Resets (RST) all connections, and each new one as soon as it is accepted. */
    CUT,
    /** Silently drops what the client sends, its closing included; the other way works. */
    BLACK_HOLE_TO_SERVER,
    /** Silently drops what the server sends, its closing included; the other way works. */
    BLACK_HOLE_TO_CLIENT,
    /** Keeps the bytes of both directions; a sender feels it when the buffers are full. */
    HOLD,
    /** Keeps what the client sends. */
    HOLD_TO_SERVER,
    /** Keeps what the server sends. */
    HOLD_TO_CLIENT
  }

  private static final int CONNECT_MILLIS = 5_000;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Gate gate = new Gate();
  private final List<ProxyConnection> connections = new CopyOnWriteArrayList<>();
  private final AtomicLong bytesToServer = new AtomicLong();
  private final AtomicLong bytesToClient = new AtomicLong();

  private TcpProxy(InetSocketAddress target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** A proxy on a free port of 127.0.0.1 for the server on the given port of 127.0.0.1. */
  public static TcpProxy to(int serverPort) {
    try {
      TcpProxy proxy =
          new TcpProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
      OpenThings.add(proxy, "TcpProxy on port " + proxy.port(), () -> !proxy.listener.isClosed());
      Thread acceptor = new Thread(proxy::accept, "ddd-proxy-" + proxy.port());
      acceptor.setDaemon(true);
      acceptor.start();
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        // The listener was closed, or this one client is gone already; the next may come.
      }
    }
  }

  // Synchronized with cut(): a connection that the server has accepted is one that cut() finds.
  private synchronized void serve(Socket client) throws IOException {
    if (gate.mode() == Mode.CUT) {
      ProxyConnection.reset(client);
      return;
    }
    Socket server = new Socket();
    try {
      server.connect(target, CONNECT_MILLIS);
    } catch (IOException e) {
      // The server is down: the client must see that as an error, not as a silent peer.
      ProxyConnection.reset(client);
      server.close();
      return;
    }
    ProxyConnection connection = new ProxyConnection(client, server, gate, connections::remove);
    connections.add(connection);
    connection.start(bytesToServer, bytesToClient);
  }

  /** The port that clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Changes what the network does, from now on. Lifts a throttle. */
  public void mode(Mode mode) {
    gate.set(mode, Gate.UNLIMITED);
    if (mode == Mode.CUT) {
      cut();
    }
  }

  /** Forwards everything, but at most this many bytes per second in each direction. */
  public void throttle(long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytesPerSecond must be at least 1: " + bytesPerSecond);
    }
    gate.set(Mode.PASS, bytesPerSecond);
  }

  /**
   * Resets all connections that have reached the server, once; new ones are served according to the
   * mode.
   */
  public synchronized void cut() {
    connections.forEach(ProxyConnection::reset);
  }

  /** How many bytes have been forwarded to the server, over all connections so far. */
  public long bytesToServer() {
    return bytesToServer.get();
  }

  /** How many bytes have been forwarded to clients, over all connections so far. */
  public long bytesToClient() {
    return bytesToClient.get();
  }

  /** How many connections are open now. */
  public int connections() {
    return connections.size();
  }

  /** Resets all connections and frees the port. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    mode(Mode.CUT);
  }
}
