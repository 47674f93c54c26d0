// SPDX-FileCopyrightText: 2026 The ddd-events authors
// SPDX-License-Identifier: Apache-2.0
package io.dddevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EventContextTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final EventContext ACME = EventContext.none().withTenant("acme");

  /** Named in META-INF/services: what a web filter or a tracer would supply. */
  public static final class RequestSource implements EventContextSource {
    static final ThreadLocal<EventContext> REQUEST = ThreadLocal.withInitial(EventContext::none);

    @Override
    public EventContext current() {
      return REQUEST.get();
    }
  }

  record Happened() implements DomainEvent {}

  @AfterEach
  void nothingIsLeftOnThisThread() {
    RequestSource.REQUEST.remove();
    assertThat(EventContext.current()).isEqualTo(EventContext.none());
  }

  @Test
  void withoutAScopeThereIsNoContext() {
    assertThat(EventContext.current()).isSameAs(EventContext.none());
  }

  @Test
  void aScopeHoldsForItsWorkOnly() {
    ACME.run(() -> assertThat(EventContext.current()).isEqualTo(ACME));
    assertThat(EventContext.current()).isEqualTo(EventContext.none());
  }

  @Test
  void scopesNestAndTheInnerOneReplacesTheOuterOne() throws Exception {
    EventContext inner = EventContext.none().withCorrelationId("c");
    String result =
        ACME.call(
            () -> {
              inner.run(() -> assertThat(EventContext.current()).isEqualTo(inner));
              assertThat(EventContext.current()).isEqualTo(ACME);
              return "done";
            });
    assertThat(result).isEqualTo("done");
  }

  @Test
  void theFormerScopeIsRestoredAfterAnException() {
    ACME.run(
        () -> {
          EventContext inner = ACME.withTenant("other");
          assertThatThrownBy(
                  () ->
                      inner.run(
                          () -> {
                            throw new IllegalStateException("boom");
                          }))
              .hasMessage("boom");
          assertThatThrownBy(
                  () ->
                      inner.call(
                          () -> {
                            throw new IOException("checked");
                          }))
              .hasMessage("checked");
          assertThat(EventContext.current()).isEqualTo(ACME);
        });
  }

  @Test
  void aScopeIsNotSeenByAnotherThread() {
    ACME.run(
        () ->
            assertThat(CompletableFuture.supplyAsync(EventContext::current).join())
                .isEqualTo(EventContext.none()));
  }

  @Test
  void aSourceFillsTheGapsOfTheScope() {
    RequestSource.REQUEST.set(
        new EventContext("shop", "c1", null, TRACE, Map.of("a", "source", "b", "source")));
    EventContext scope = ACME.withHeaders(Map.of("b", "scope", "c", "scope"));
    scope.run(
        () ->
            assertThat(EventContext.current())
                .isEqualTo(
                    new EventContext(
                        "acme",
                        "c1",
                        null,
                        TRACE,
                        Map.of("a", "source", "b", "scope", "c", "scope"))));
    assertThat(EventContext.current().tenant()).isEqualTo("shop");
  }

  @Test
  void anEventTakesTheContextOfItsRaise() {
    PendingEvents pending = new PendingEvents();
    ACME.withHeaders(Map.of("a", "1", "b", "1"))
        .run(() -> pending.raise(new Happened(), EventOptions.defaults().header("b", "2")));
    EventContext context = pending.list().get(0).context();
    assertThat(context.tenant()).isEqualTo("acme");
    assertThat(context.headers()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
  }

  @Test
  void whatAHandlerDoesIsCausedByTheEventAndStaysInTheConversation() {
    EventContext given = new EventContext("acme", "c1", "m0", TRACE, Map.of("a", "1"));
    EventEnvelope handled = handled(given);
    String id = handled.id().toString();
    assertThat(EventContext.causedBy(handled))
        .isEqualTo(new EventContext("acme", "c1", id, TRACE, Map.of()));
  }

  @Test
  void theFirstEventOfAConversationNamesIt() {
    EventEnvelope first = handled(EventContext.none());
    String id = first.id().toString();
    assertThat(EventContext.causedBy(first))
        .isEqualTo(new EventContext(null, id, id, null, Map.of()));
  }

  @Test
  void aWitherChangesOnePart() {
    EventContext all = new EventContext("t", "c", "m", TRACE, Map.of("a", "1"));
    assertThat(all.withTenant(null).withTenant("t")).isEqualTo(all);
    assertThat(all.withCorrelationId(null).withCorrelationId("c")).isEqualTo(all);
    assertThat(all.withCausationId(null).withCausationId("m")).isEqualTo(all);
    assertThat(all.withTraceparent(null).withTraceparent(TRACE)).isEqualTo(all);
    assertThat(all.withHeaders(Map.of())).isEqualTo(all);
    assertThat(all.withTenant(null).tenant()).isNull();
  }

  private static EventEnvelope handled(EventContext context) {
    return EventEnvelope.builder(new UUID(1, 2), new WireName("a", 1))
        .occurredAt(Instant.EPOCH)
        .context(context)
        .payload("application/json", new byte[0])
        .build();
  }
}
