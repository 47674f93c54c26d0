// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Who and what an event belongs to beyond its aggregate. Taken when the event is raised: first from
 * the scope that {@link #call} opened on this thread, then, for what is missing there, from the
 * {@link EventContextSource}s found by {@link java.util.ServiceLoader}.
 *
 * <p>Immutable. Scopes belong to one thread and nest.
 *
 * @param tenant the tenant, for routing and filtering
 * @param correlationId joins all events of one business conversation
 * @param causationId the id of the message that led to this event
 * @param traceparent W3C trace context, {@code 00-<trace>-<span>-<flags>}
 * @param headers further headers; see {@link EventLimits}. {@code CC}, {@code BCC} and names that
 *     begin with {@code x-}, {@code ddd-} or {@code cloudEvents} are refused
 */
public record EventContext(
    @Nullable String tenant,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    Map<String, String> headers) {

  private static final EventContext NONE = new EventContext(null, null, null, null, Map.of());
  private static final ThreadLocal<@Nullable EventContext> SCOPE = new ThreadLocal<>();

  /** Refuses what could not travel with a message. */
  public EventContext {
    Text.requireOptionalText("tenant", tenant, EventLimits.TENANT_BYTES);
    Text.requireOptionalText("correlation id", correlationId, EventLimits.CORRELATION_BYTES);
    Text.requireOptionalText("causation id", causationId, EventLimits.CORRELATION_BYTES);
    if (traceparent != null) {
      Headers.requireTraceparent(traceparent);
    }
    headers = Headers.checked(headers);
  }

  /** The empty context. */
  public static EventContext none() {
    return NONE;
  }

  /** The context that an event raised now on this thread gets. */
  public static EventContext current() {
    EventContext scope = SCOPE.get();
    EventContext result = scope == null ? NONE : scope;
    for (Iterator<EventContextSource> sources = EventContextSources.iterator();
        sources.hasNext(); ) {
      result = result.orElse(sources.next().current());
    }
    return result;
  }

  /**
   * The context for what a handler does: the same tenant, conversation and trace, caused by the
   * handled event. The first event of a conversation names it.
   */
  public static EventContext causedBy(EventEnvelope envelope) {
    EventContext context = envelope.context();
    String id = envelope.id().toString();
    String conversation = context.correlationId == null ? id : context.correlationId;
    return new EventContext(context.tenant, conversation, id, context.traceparent, Map.of());
  }

  /** This context with another tenant. */
  public EventContext withTenant(@Nullable String tenant) {
    return new EventContext(tenant, correlationId, causationId, traceparent, headers);
  }

  /** This context with another correlation id. */
  public EventContext withCorrelationId(@Nullable String correlationId) {
    return new EventContext(tenant, correlationId, causationId, traceparent, headers);
  }

  /** This context with another causation id. */
  public EventContext withCausationId(@Nullable String causationId) {
    return new EventContext(tenant, correlationId, causationId, traceparent, headers);
  }

  /** This context with another trace parent. */
  public EventContext withTraceparent(@Nullable String traceparent) {
    return new EventContext(tenant, correlationId, causationId, traceparent, headers);
  }

  /** This context with the given headers added; a header of the same name is replaced. */
  public EventContext withHeaders(Map<String, String> more) {
    return new EventContext(
        tenant, correlationId, causationId, traceparent, Headers.merged(headers, more));
  }

  /** Runs with this context on the current thread and restores the former one afterwards. */
  public <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
    EventContext former = SCOPE.get();
    SCOPE.set(this);
    try {
      return work.call();
    } finally {
      restore(former);
    }
  }

  /** Like {@link #call}, for work that returns nothing and throws nothing checked. */
  public void run(Runnable work) {
    EventContext former = SCOPE.get();
    SCOPE.set(this);
    try {
      work.run();
    } finally {
      restore(former);
    }
  }

  private static void restore(@Nullable EventContext former) {
    if (former == null) {
      SCOPE.remove();
    } else {
      SCOPE.set(former);
    }
  }

  private EventContext orElse(EventContext other) {
    if (other.equals(NONE)) {
      return this;
    }
    if (equals(NONE)) {
      return other;
    }
    return new EventContext(
        tenant == null ? other.tenant : tenant,
        correlationId == null ? other.correlationId : correlationId,
        causationId == null ? other.causationId : causationId,
        traceparent == null ? other.traceparent : traceparent,
        Headers.merged(other.headers, headers));
  }
}
