package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The particulars of the in-memory store; the suites of the testkit prove the contract. */
final class InMemoryEventStoreTest {

    private final ManualTime time = new ManualTime();

    @Test
    void limits_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> new InMemoryEventStore(Duration.ZERO, 1))
                .hasMessage("keyRetention must be longer than zero, got PT0S");
        assertThatThrownBy(() -> new InMemoryEventStore(Duration.ofHours(1), 0))
                .hasMessage("maxPayload must be at least 1 byte, got 0");
    }

    @Test
    void a_closed_store_still_holds_its_events() {
        EventStore store = new InMemoryEventStore();
        store.publish(List.of(event("a")), time.now());
        store.close();
        assertThat(claim(store)).hasSize(1);
    }

    @Test
    void the_same_calls_give_the_same_answers() {
        assertThat(story()).isEqualTo(story());
    }

    @Test
    void a_store_that_was_cleared_remembers_nothing() {
        InMemoryEventStore store = new InMemoryEventStore();
        tell(store);
        store.publish(List.of(event("d").toBuilder().orderingKey("line").build()), time.now());
        store.notes().write(SharedNotes.Note.first("topic", "name", "value"));
        store.clear();
        assertThat(store.stats(time.now())).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
        assertThat(store.deadLetters().actions(10)).isEmpty();
        assertThat(store.notes().read()).isEmpty();
        assertThat(store.publish(List.of(event("a")), time.now())).containsExactly(PublishResult.ACCEPTED);
        assertThat(claim(store)).hasSize(1);
    }

    private List<Object> story() {
        return tell(new InMemoryEventStore());
    }

    private List<Object> tell(EventStore store) {
        store.publish(List.of(event("a"), event("b"), event("c")), time.now());
        List<Claim> claims = claim(store);
        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "node-1", Duration.ZERO, "IOException", null, "dead", "not_retryable");
        store.settle(
                List.of(
                        new Settlement.Dead(claims.get(0), Reason.NOT_RETRYABLE, attempt, "f", "shop"),
                        new Settlement.Release(claims.get(1))),
                time.now());
        store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "b1", "ann", false, time.now()));
        return List.of(
                claims,
                claim(store),
                store.stats(time.now()),
                store.deadLetters().actions(10));
    }

    private List<Claim> claim(EventStore store) {
        return store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 10, false, Duration.ofSeconds(30), time.now()));
    }

    private Event event(String id) {
        return Event.named("order.paid").id(id).source("shop").time(time).build();
    }
}
