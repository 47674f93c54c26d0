// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line why something failed: for people, without secrets or line breaks. */
final class Causes {

  private static final int MAX_LENGTH = 300;

  private Causes() {}

  static String of(Throwable failure) {
    ShutdownSignalException signal = find(failure, ShutdownSignalException.class);
    SSLException tls = find(failure, SSLException.class);
    if (find(failure, PossibleAuthenticationFailureException.class) != null) {
      return "ACCESS_REFUSED: the broker refused user or password, or access to the virtual host";
    }
    if (tls != null) {
      return clean("TLS: " + tls.getMessage());
    }
    if (signal != null) {
      return ofSignal(signal);
    }
    if (find(failure, UnknownHostException.class) != null) {
      return "the host name of the broker is not known";
    }
    if (find(failure, ConnectException.class) != null) {
      return "no broker answers at the address: connection refused";
    }
    if (failure instanceof TimeoutException) {
      return "the broker did not answer in time";
    }
    return clean(failure.getClass().getSimpleName() + ": " + failure.getMessage());
  }

  private static String ofSignal(ShutdownSignalException signal) {
    Method reason = signal.getReason();
    if (reason instanceof AMQP.Channel.Close close) {
      return clean("channel closed: " + close.getReplyCode() + " " + close.getReplyText());
    }
    if (reason instanceof AMQP.Connection.Close close) {
      return clean("connection closed: " + close.getReplyCode() + " " + close.getReplyText());
    }
    Throwable cause = signal.getCause();
    return cause == null
        ? "connection lost"
        : clean("connection lost: " + cause.getClass().getSimpleName() + text(cause));
  }

  private static String text(Throwable cause) {
    return cause.getMessage() == null ? "" : ": " + cause.getMessage();
  }

  private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Without control characters, and not too long. */
  static String clean(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), MAX_LENGTH); i++) {
      char c = text.charAt(i);
      boolean invisible = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
      out.append(invisible ? '?' : c);
    }
    return text.length() > MAX_LENGTH ? out.append('…').toString() : out.toString();
  }
}
