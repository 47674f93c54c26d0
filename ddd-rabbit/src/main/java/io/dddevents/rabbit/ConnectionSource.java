// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/**
 * Where connections come from: a factory for each new connection, so that credentials may change in
 * between. Who opens the connection sets what its work needs (recovery, limits, threads).
 */
@FunctionalInterface
interface ConnectionSource {

  ConnectionFactory factory() throws Exception;

  /**
   * A broker by its URI. Plain {@code amqp} leaves this machine only if that is allowed. Messages
   * name the host, never the URI: it holds the password.
   */
  static ConnectionSource of(URI uri, boolean allowPlainRemote) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    if (host == null || !(scheme.equals("amqp") || scheme.equals("amqps"))) {
      throw new IllegalArgumentException(
          "the URI of the broker must have the form amqps://host:port/virtual-host");
    }
    boolean tls = scheme.equals("amqps");
    if (!tls && !allowPlainRemote && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "amqp:// to '"
              + host
              + "' would send credentials and events unencrypted; use amqps://, or allow it"
              + " explicitly");
    }
    return () -> {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri);
      if (tls) {
        verify(factory);
      }
      return factory;
    };
  }

  private static void verify(ConnectionFactory factory) throws GeneralSecurityException {
    factory.useSslProtocol(SSLContext.getDefault());
    factory.enableHostnameVerification();
  }

  private static boolean isLoopback(String host) {
    boolean literal = host.startsWith("[") || Character.isDigit(host.charAt(0));
    try {
      // A name could mean another machine tomorrow; an address cannot.
      return host.equals("localhost")
          || (literal && InetAddress.getByName(host).isLoopbackAddress());
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
