// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents.outbox;

import java.time.Instant;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Which events are meant. What is not set matches everything; texts match exactly. Immutable. A
 * filter by cause or time of failure matches Failed events only.
 *
 * @param status the status
 * @param type the event type
 * @param cause the cause code
 * @param aggregateType the aggregate's type
 * @param aggregateId the aggregate's id
 * @param tenant the tenant
 * @param failedFrom failed at this time or later
 * @param failedBefore failed before this time
 * @param createdFrom stored at this time or later
 * @param createdBefore stored before this time
 */
public record EventFilter(
    @Nullable EventStatus status,
    @Nullable String type,
    @Nullable String cause,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenant,
    @Nullable Instant failedFrom,
    @Nullable Instant failedBefore,
    @Nullable Instant createdFrom,
    @Nullable Instant createdBefore) {

  /** Every event. */
  public static EventFilter any() {
    return builder().build();
  }

  /** Starts a filter. */
  public static Builder builder() {
    return new Builder();
  }

  boolean speaksOfFailures() {
    return cause != null || failedFrom != null || failedBefore != null;
  }

  /** What is set, for people. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(" ");
    add(text, "status", status);
    add(text, "type", type);
    add(text, "cause", cause);
    add(text, "aggregateType", aggregateType);
    add(text, "aggregateId", aggregateId);
    add(text, "tenant", tenant);
    add(text, "failedFrom", failedFrom);
    add(text, "failedBefore", failedBefore);
    add(text, "createdFrom", createdFrom);
    add(text, "createdBefore", createdBefore);
    return text.length() == 0 ? "all" : text.toString();
  }

  private static void add(StringJoiner text, String name, @Nullable Object value) {
    if (value != null) {
      text.add(name + "=" + value);
    }
  }

  /** Collects the parts of a filter. */
  public static final class Builder {

    private @Nullable EventStatus status;
    private @Nullable String type;
    private @Nullable String cause;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String tenant;
    private @Nullable Instant failedFrom;
    private @Nullable Instant failedBefore;
    private @Nullable Instant createdFrom;
    private @Nullable Instant createdBefore;

    private Builder() {}

    /** Only events of this status. */
    public Builder status(EventStatus status) {
      this.status = status;
      return this;
    }

    /** Only events of this type. */
    public Builder type(String type) {
      this.type = type;
      return this;
    }

    /** Only events that failed for this cause. */
    public Builder cause(String cause) {
      this.cause = cause;
      return this;
    }

    /** Only events of aggregates of this type. */
    public Builder aggregateType(String aggregateType) {
      this.aggregateType = aggregateType;
      return this;
    }

    /** Only events of aggregates with this id. */
    public Builder aggregateId(String aggregateId) {
      this.aggregateId = aggregateId;
      return this;
    }

    /** Only events of this tenant. */
    public Builder tenant(String tenant) {
      this.tenant = tenant;
      return this;
    }

    /** Only events that failed at the first time or later, and before the second. */
    public Builder failedBetween(Instant from, Instant before) {
      this.failedFrom = from;
      this.failedBefore = before;
      return this;
    }

    /** Only events that were stored at the first time or later, and before the second. */
    public Builder createdBetween(Instant from, Instant before) {
      this.createdFrom = from;
      this.createdBefore = before;
      return this;
    }

    /** The filter. */
    public EventFilter build() {
      return new EventFilter(
          status,
          type,
          cause,
          aggregateType,
          aggregateId,
          tenant,
          failedFrom,
          failedBefore,
          createdFrom,
          createdBefore);
    }
  }
}
