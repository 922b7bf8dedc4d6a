package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.PastFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The journal: finished events are remembered for the retention, with the failures before their success. */
interface FinishedEventsContract extends StoreUnderTest {

    /** More events than a durable store keeps unsorted. */
    int MANY_EVENTS = 9_000;

    @Test
    default void an_empty_journal_remembers_nothing() {
        StoreDriver on = open();
        assertThat(on.store().journal().retention()).isEqualTo(JournalContract.RETENTION);
        assertThat(on.store().journal().since()).isEmpty();
        assertThat(find(on, EventQuery.id("never-published"))).isEmpty();
        assertThat(on.store().journal().latest(Instant.EPOCH, 10)).isEmpty();
    }

    @Test
    default void a_finished_event_is_found_by_each_of_its_texts() {
        StoreDriver on = open();
        on.publish(on.event("a").correlationId("chain").orderingKey("customer-1"));
        on.pass(Duration.ofSeconds(3));
        Instant created = on.time().now().minusSeconds(3);
        Claim claim = on.claimOne();
        on.settle(new Settlement.Done(claim, "node-7", Duration.ofMillis(12)));
        FinishedEvent expected = new FinishedEvent(
                "a",
                Optional.of("chain"),
                Optional.of("customer-1"),
                "order.paid",
                "shop",
                claim.position(),
                created,
                on.time().now(),
                0,
                0,
                0,
                0,
                "node-7",
                Duration.ofMillis(12));
        assertThat(find(on, EventQuery.id("a"))).containsExactly(expected);
        assertThat(find(on, EventQuery.correlationId("chain"))).containsExactly(expected);
        assertThat(find(on, EventQuery.orderingKey("customer-1"))).containsExactly(expected);
        assertThat(find(on, EventQuery.name("order.paid"))).containsExactly(expected);
        assertThat(find(on, EventQuery.id("chain"))).isEmpty();
        assertThat(find(on, EventQuery.name("order.*"))).as("no wildcard").isEmpty();
        assertThat(find(on, EventQuery.id(" a"))).as("compared exactly").isEmpty();
        assertThat(on.store().journal().since()).contains(on.time().now());
    }

    @Test
    default void events_without_correlation_id_and_key_are_no_answer_to_other_texts() {
        StoreDriver on = open();
        on.publish("a");
        on.done(on.claimOne());
        FinishedEvent found = find(on, EventQuery.id("a")).get(0);
        assertThat(found.correlationId()).isEmpty();
        assertThat(found.orderingKey()).isEmpty();
        assertThat(find(on, EventQuery.correlationId("a"))).isEmpty();
        assertThat(find(on, EventQuery.orderingKey("a"))).isEmpty();
    }

    @Test
    default void an_id_with_several_correlation_ids_gives_several_events() {
        StoreDriver on = open();
        on.publish(on.event("a").correlationId("one"), on.event("a").correlationId("two"), on.event("a"));
        on.claim().forEach(on::done);
        assertThat(find(on, EventQuery.id("a"))).hasSize(3);
        assertThat(find(on, EventQuery.correlationId("two"))).hasSize(1);
    }

    @Test
    default void unusual_texts_are_found() {
        StoreDriver on = open();
        String odd = "ü \"%_'; -- 漢字";
        on.publish(on.event(odd).correlationId(odd).orderingKey(odd));
        on.done(on.claimOne());
        assertThat(find(on, EventQuery.id(odd))).hasSize(1);
        assertThat(find(on, EventQuery.correlationId(odd))).hasSize(1);
        assertThat(find(on, EventQuery.orderingKey(odd))).hasSize(1);
    }

    @Test
    default void a_chain_comes_with_its_last_event_first() {
        StoreDriver on = open();
        for (String id : List.of("first", "second", "third")) {
            on.publish(on.event(id).correlationId("chain"));
            on.pass(Duration.ofSeconds(1));
            on.done(on.claimOne());
        }
        assertThat(ids(find(on, EventQuery.correlationId("chain")))).containsExactly("third", "second", "first");
        assertThat(ids(on.store().journal().find(EventQuery.correlationId("chain"), 2)))
                .containsExactly("third", "second");
        assertThat(ids(on.store().journal().latest(on.time().now().minusSeconds(1), 10)))
                .containsExactly("third", "second");
    }

    @Test
    default void failures_of_an_event_that_a_retry_saved_stay_visible() {
        StoreDriver on = open();
        on.publish("a");
        on.retry(on.claimOne(), Duration.ofSeconds(1));
        on.pass(Duration.ofSeconds(1));
        on.retry(on.claimOne(), Duration.ofSeconds(1));
        on.pass(Duration.ofSeconds(1));
        on.done(on.claimOne());
        FinishedEvent found = find(on, EventQuery.id("a")).get(0);
        assertThat(found.isSaved()).isTrue();
        assertThat(found.failed()).isEqualTo(2);
        assertThat(on.store().journal().failures(found))
                .extracting(PastFailure::number)
                .containsExactly(1, 2);
    }

    @Test
    default void a_dead_event_is_not_finished_until_its_redrive_succeeds() {
        StoreDriver on = open();
        on.publish("a");
        Claim first = on.claimOne();
        on.dead(first);
        assertThat(find(on, EventQuery.id("a"))).isEmpty();
        on.redrive(LetterFilter.ALL);
        on.done(on.claimOne());
        FinishedEvent found = find(on, EventQuery.id("a")).get(0);
        assertThat(found.redrives()).isEqualTo(1);
        assertThat(found.origin()).as("that of the first publication").isEqualTo(first.position());
        assertThat(found.isSaved()).isTrue();
        assertThat(on.store().journal().failures(found))
                .extracting(PastFailure::decision)
                .containsExactly("dead");
    }

    @Test
    default void a_stale_settlement_leaves_no_trace() {
        StoreDriver on = open();
        on.publish("a");
        Claim claim = on.claimOne();
        on.done(claim);
        assertThat(on.settle(new Settlement.Done(claim))).containsExactly(claim);
        assertThat(find(on, EventQuery.id("a"))).hasSize(1);
    }

    @Test
    default void a_settlement_whose_answer_is_lost_is_remembered_once() {
        StoreDriver on = open();
        on.publish("a");
        Claim claim = on.claimOne();
        StoreDriver faulty = on.on(FaultyStore.failing(on.store(), 1, FaultyStore.Moment.AFTER));
        assertThatThrownBy(() -> faulty.settle(new Settlement.Done(claim))).isInstanceOf(FaultyStore.Fault.class);
        assertThat(faulty.settle(new Settlement.Done(claim))).containsExactly(claim);
        assertThat(find(on, EventQuery.id("a"))).hasSize(1);
    }

    @Test
    default void finished_events_survive_a_crash_and_are_seen_by_other_nodes() {
        StoreDriver on = open();
        on.publish("a");
        on.done(on.claimOne());
        assertThat(find(on.on(joined(on)), EventQuery.id("a"))).hasSize(1);
        EventStore after = reopened(on);
        assertThat(find(on.on(after), EventQuery.id("a"))).hasSize(1);
    }

    @Test
    default void finished_events_are_forgotten_after_the_retention_with_their_failures() {
        StoreDriver on = open();
        on.publish(on.event("old").orderingKey("k"));
        on.retry(on.claimOne(), Duration.ZERO);
        on.done(on.claimOne());
        FinishedEvent old = find(on, EventQuery.id("old")).get(0);
        on.pass(JournalContract.RETENTION.dividedBy(2));
        on.publish("young");
        on.done(on.claimOne());
        expire(on);
        assertThat(find(on, EventQuery.id("old"))).hasSize(1);
        on.pass(JournalContract.RETENTION.dividedBy(2).plusSeconds(1));
        expire(on);
        assertThat(find(on, EventQuery.id("old"))).isEmpty();
        assertThat(on.store().journal().failures(old)).isEmpty();
        assertThat(find(on, EventQuery.id("young"))).hasSize(1);
        on.pass(JournalContract.RETENTION);
        expire(on);
        assertThat(on.store().journal().since()).isEmpty();
    }

    @Test
    default void many_finished_events_are_found_and_forgotten() {
        StoreDriver on = open();
        Journal journal = on.store().journal();
        int published = 0;
        while (published < MANY_EVENTS) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < 1_000; i++, published++) {
                events.add(on.event("id-" + published)
                        .correlationId("chain-" + published / 4)
                        .orderingKey("key-" + published)
                        .build());
            }
            on.publish(events);
            on.pass(Duration.ofSeconds(1));
            on.settleAll(Settlement.Done::new);
        }
        on.publish(Event.named("order.rare").id("rare").source("shop").time(on.time()));
        on.done(on.claimOne());
        on.store().expire(on.time().now());
        for (int i : List.of(0, 63, 64, 4_999, MANY_EVENTS - 1)) {
            assertThat(ids(find(on, EventQuery.id("id-" + i)))).containsExactly("id-" + i);
            assertThat(ids(find(on, EventQuery.orderingKey("key-" + i)))).containsExactly("id-" + i);
            assertThat(find(on, EventQuery.correlationId("chain-" + i / 4))).hasSize(4);
        }
        assertThat(find(on, EventQuery.id("id-" + MANY_EVENTS))).isEmpty();
        assertThat(ids(find(on, EventQuery.name("order.rare")))).containsExactly("rare");
        assertThat(find(on, EventQuery.name("order.paid"))).hasSize(DeadLetters.MAX_PAGE);
        assertThat(journal.latest(Instant.EPOCH, 150)).hasSize(150);
        assertThat(journal.latest(Instant.EPOCH, 1))
                .extracting(FinishedEvent::id)
                .containsExactly("rare");
        on.pass(JournalContract.RETENTION);
        expire(on);
        assertThat(journal.since()).isEmpty();
        assertThat(find(on, EventQuery.id("id-0"))).isEmpty();
    }

    @Test
    default void a_page_of_the_journal_is_limited() {
        StoreDriver on = open();
        Journal journal = on.store().journal();
        assertThatThrownBy(() -> journal.find(EventQuery.id("a"), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> journal.latest(Instant.EPOCH, DeadLetters.MAX_PAGE + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void expire(StoreDriver on) {
        int steps = 0;
        while (on.store().expire(on.time().now()) > 0) {
            assertThat(++steps).as("steps of expiry").isLessThan(1_000);
        }
    }

    private static List<FinishedEvent> find(StoreDriver on, EventQuery query) {
        return on.store().journal().find(query, DeadLetters.MAX_PAGE);
    }

    private static List<String> ids(List<FinishedEvent> events) {
        return events.stream().map(FinishedEvent::id).toList();
    }
}
