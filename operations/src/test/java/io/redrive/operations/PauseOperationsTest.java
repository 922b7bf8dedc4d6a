package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorAction;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseOperationsTest {

    private static final NamePattern ORDERS = new NamePattern("order.*");

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final PauseOperations pauses =
            Operations.of(store, Operator.named("ann", Role.OPERATOR), time).pauses();

    private List<OperatorAction> actions() {
        return store.deadLetters().actions(10);
    }

    @Test
    void a_pause_and_its_end_are_recorded_with_the_reason() {
        NamePause.ByHand pause = pauses.pause(ORDERS, "bank is down", Optional.empty());
        assertThat(pauses.list()).containsExactly(pause);
        time.advance(Duration.ofMinutes(5));
        assertThat(pauses.resume(ORDERS)).contains(pause);
        assertThat(pauses.list()).isEmpty();
        assertThat(actions()).extracting(OperatorAction::action).containsExactly("resume", "pause");
        assertThat(actions()).allMatch(action -> action.operator().equals("ann"));
        assertThat(actions().get(0).toString()).contains("order.*", "by ann: bank is down");
        assertThat(actions().get(1).toString()).contains("order.*: bank is down", "without an end");
    }

    @Test
    void a_due_event_of_a_paused_name_waits_since_it_was_due_or_since_the_pause_whichever_is_later() {
        Instant early = time.now();
        store.publish(
                List.of(Event.named("order.paid")
                        .id("before")
                        .source("shop")
                        .created(early)
                        .build()),
                early);
        time.advance(Duration.ofMinutes(5));
        NamePause.ByHand pause = pauses.pause(ORDERS, "bank is down", Optional.empty());
        time.advance(Duration.ofMinutes(1));
        Instant late = time.now();
        store.publish(
                List.of(Event.named("order.paid")
                        .id("after")
                        .source("shop")
                        .created(late)
                        .build()),
                late);
        EventFinder finder =
                Operations.of(store, Operator.named("ann", Role.VIEWER), time).finder();
        assertThat(finder.waiting(10))
                .extracting(found -> found.id() + " since "
                        + ((FoundEvent.Waits) found).since().orElseThrow())
                .containsExactly("before since " + pause.since(), "after since " + late);
    }

    @Test
    void a_replaced_pause_stays_in_the_record() {
        pauses.pause(ORDERS, "bank is down", Optional.empty());
        pauses.pause(ORDERS, "still down", Optional.of(time.now().plusSeconds(60)));
        assertThat(actions().get(0).toString())
                .contains("until " + time.now().plusSeconds(60), "instead of a pause by ann without an end");
    }

    @Test
    void resuming_a_pattern_that_is_not_paused_changes_and_records_nothing() {
        pauses.pause(ORDERS, "bank is down", Optional.empty());
        assertThat(pauses.resume(new NamePattern("order.paid"))).isEmpty();
        assertThat(pauses.list()).hasSize(1);
        assertThat(actions()).hasSize(1);
    }

    @Test
    void a_refused_pause_changes_and_records_nothing() {
        assertThatThrownBy(() -> pauses.pause(ORDERS, "", Optional.empty()))
                .hasMessageStartingWith("reason must have 1 to 1000 characters");
        assertThatThrownBy(() -> pauses.pause(ORDERS, "a\u0000b", Optional.empty()))
                .hasMessageStartingWith("reason must be readable text");
        assertThatThrownBy(() -> pauses.pause(ORDERS, "late", Optional.of(time.now())))
                .hasMessageStartingWith("until must be after");
        for (int i = 0; i < HandPauses.MAX_PATTERNS; i++) {
            pauses.pause(new NamePattern("n" + i + ".*"), "x", Optional.empty());
        }
        assertThatThrownBy(() -> pauses.pause(ORDERS, "one more", Optional.empty()))
                .hasMessageStartingWith("at most 100 patterns");
        assertThat(pauses.list()).hasSize(HandPauses.MAX_PATTERNS);
        assertThat(store.deadLetters().actions(1_000)).hasSize(HandPauses.MAX_PATTERNS);
    }
}
