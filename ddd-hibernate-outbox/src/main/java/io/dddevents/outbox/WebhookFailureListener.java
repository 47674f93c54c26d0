// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts a line about every Failed event to a webhook of Discord or Slack. The line holds the
 * event's id, type, cause code and attempt, and nothing else. The address is a secret: it is never
 * logged and stands in no message.
 *
 * <p>Safe for many threads. A post that fails is not repeated.
 */
public final class WebhookFailureListener implements FailureListener {

  private final URI address;
  private final String field;
  private final Duration timeout;
  private final HttpClient client;

  private WebhookFailureListener(URI address, String field, Duration timeout) {
    String scheme = address.getScheme();
    if (!"https".equalsIgnoreCase(scheme) && !"http".equalsIgnoreCase(scheme)) {
      throw new IllegalArgumentException(
          "the address of a webhook begins with https:// or http://");
    }
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be longer than zero, was " + timeout);
    }
    this.address = address;
    this.field = field;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** Posts {@code {"content": "…"}}, as Discord wants it, with a timeout of 5 s. */
  public static WebhookFailureListener discord(URI address) {
    return new WebhookFailureListener(address, "content", Duration.ofSeconds(5));
  }

  /** Posts {@code {"text": "…"}}, as Slack wants it, with a timeout of 5 s. */
  public static WebhookFailureListener slack(URI address) {
    return new WebhookFailureListener(address, "text", Duration.ofSeconds(5));
  }

  /** With another time for connecting, and for the whole post. */
  public WebhookFailureListener withTimeout(Duration timeout) {
    return new WebhookFailureListener(address, field, timeout);
  }

  @Override
  public void onFailed(FailedEvent event) {
    String line =
        "Event failed and needs an operator: event="
            + event.eventId()
            + " type="
            + plain(event.type())
            + " cause="
            + plain(event.cause())
            + " attempt="
            + event.attempt();
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    Json.write(Collections.singletonMap(field, line))))
            .build();
    int status = post(request);
    if (status < 200 || status > 299) {
      throw new OutboxException("the webhook answered with HTTP status " + status);
    }
  }

  private int post(HttpRequest request) {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      // The timeout of the request ends with the head of the answer; this one covers its body.
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS).statusCode();
    } catch (TimeoutException e) {
      throw new OutboxException("the webhook did not answer within " + timeout);
    } catch (ExecutionException e) {
      // Its message may hold the address.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new OutboxException(
          "the webhook could not be reached: " + cause.getClass().getSimpleName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutboxException("the webhook was interrupted");
    } finally {
      answer.cancel(true);
    }
  }

  /** A damaged row may bring anything, such as a mention of everybody. */
  private static String plain(String text) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 200); i++) {
      char c = text.charAt(i);
      boolean fits =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "._-".indexOf(c) >= 0;
      result.append(fits ? c : '?');
    }
    return result.toString();
  }

  /** Without the address. */
  @Override
  public String toString() {
    return "webhook with a timeout of " + timeout;
  }
}
