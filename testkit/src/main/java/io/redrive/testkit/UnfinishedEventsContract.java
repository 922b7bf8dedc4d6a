package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import io.redrive.events.Settlement.Snooze.Cause;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.events.journal.UnfinishedEvent.Waiting;
import io.redrive.events.journal.UnfinishedEvent.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Unfinished events are found by each of their texts, with the place where they are and the reason of their wait. */
interface UnfinishedEventsContract extends StoreUnderTest {

    @Test
    default void an_event_is_found_by_each_of_its_texts_until_it_ends() {
        StoreDriver on = open();
        on.publish(on.event("a").correlationId("chain").orderingKey("k"), on.event("b"));
        UnfinishedEvent found = one(on, EventQuery.id("a"));
        assertThat(found.name()).isEqualTo("order.paid");
        assertThat(found.source()).isEqualTo("shop");
        assertThat(found.correlationId()).contains("chain");
        assertThat(found.orderingKey()).contains("k");
        assertThat(found.created()).isEqualTo(on.time().now());
        assertThat(found.failed()).isZero();
        assertThat(one(on, EventQuery.correlationId("chain"))).isEqualTo(found);
        assertThat(one(on, EventQuery.orderingKey("k"))).isEqualTo(found);
        assertThat(find(on, EventQuery.name("order.paid")))
                .extracting(UnfinishedEvent::id)
                .containsExactlyInAnyOrder("a", "b");
        assertThat(find(on, EventQuery.id("never"))).isEmpty();
        assertThat(find(on, EventQuery.name("order.*"))).isEmpty();
        on.claim().forEach(on::done);
        assertThat(find(on, EventQuery.id("a"))).isEmpty();
        assertThat(find(on, EventQuery.name("order.paid"))).isEmpty();
    }

    @Test
    default void an_id_with_several_correlation_ids_gives_several_waiting_events() {
        StoreDriver on = open();
        on.publish(on.event("a").correlationId("one"), on.event("a").correlationId("two"));
        assertThat(find(on, EventQuery.id("a"))).hasSize(2);
        assertThat(find(on, EventQuery.correlationId("two"))).hasSize(1);
    }

    @Test
    default void the_reason_of_each_wait_is_told() {
        StoreDriver on = open();
        Instant begin = on.time().now();
        on.publish(on.event("scheduled").delay(Duration.ofHours(1)));
        on.publish("backoff", "asked", "paused", "no-token");
        for (Claim claim : on.claim()) {
            switch (claim.event().id()) {
                case "backoff" -> on.retry(claim, Duration.ofMinutes(1));
                case "asked" -> snooze(on, claim, Cause.ASKED);
                case "no-token" -> snooze(on, claim, Cause.NO_TOKEN);
                default -> snooze(on, claim, Cause.PAUSED);
            }
        }
        on.publish("due");
        assertThat(waiting(on, "scheduled").why()).isEqualTo(Why.DUE_TIME);
        assertThat(waiting(on, "scheduled").due()).isEqualTo(begin.plus(Duration.ofHours(1)));
        assertThat(waiting(on, "backoff"))
                .isEqualTo(new Waiting(begin.plusSeconds(60), Why.BACKOFF, Optional.empty(), Optional.of(begin)));
        assertThat(waiting(on, "asked").why()).isEqualTo(Why.SNOOZED);
        assertThat(waiting(on, "paused").why()).isEqualTo(Why.PAUSED);
        assertThat(waiting(on, "no-token").why()).isEqualTo(Why.NO_TOKEN);
        assertThat(waiting(on, "due").why()).isEqualTo(Why.READY);
        on.pass(Duration.ofMinutes(1));
        assertThat(waiting(on, "backoff").why()).isEqualTo(Why.READY);
    }

    @Test
    default void an_event_that_was_put_off_tells_since_when() {
        StoreDriver on = open();
        on.publish("asked", "paused", "no-token", "backoff");
        on.publish(on.event("in-line").orderingKey("k"), on.event("behind").orderingKey("k"));
        List<Claim> claims = on.claim();
        on.pass(Duration.ofSeconds(7));
        Instant putOff = on.time().now();
        for (Claim claim : claims) {
            switch (claim.event().id()) {
                case "asked" -> snooze(on, claim, Cause.ASKED);
                case "no-token" -> snooze(on, claim, Cause.NO_TOKEN);
                case "backoff" -> on.retry(claim, Duration.ofMinutes(2));
                default -> snooze(on, claim, Cause.PAUSED);
            }
        }
        on.pass(Duration.ofSeconds(11));
        for (String id : List.of("asked", "paused", "no-token", "in-line", "backoff")) {
            assertThat(waiting(on, id).putOff()).as(id).contains(putOff);
        }
        assertThat(on.store().unfinished().waiting(10, on.time().now()))
                .extracting(event -> event.id() + " "
                        + ((Waiting) event.state()).putOff().map(putOff::equals).orElse(false))
                .containsExactlyInAnyOrder(
                        "asked true", "paused true", "no-token true", "backoff true", "in-line true", "behind false");
        on.pass(Duration.ofMinutes(2));
        assertThat(waiting(on, "paused")).isEqualTo(new Waiting(putOff.plusSeconds(60), Why.READY, Optional.empty()));
    }

    @Test
    default void an_event_that_is_put_off_again_tells_the_last_time() {
        StoreDriver on = open();
        on.publish("a");
        on.retry(on.claimOne(), Duration.ofSeconds(10));
        on.pass(Duration.ofSeconds(10));
        snooze(on, on.claimOne(), Cause.NO_TOKEN);
        Instant first = on.time().now();
        assertThat(waiting(on, "a"))
                .isEqualTo(new Waiting(first.plusSeconds(60), Why.NO_TOKEN, Optional.empty(), Optional.of(first)));
        on.pass(Duration.ofMinutes(1));
        Claim again = on.claimOne();
        snooze(on, again, Cause.PAUSED);
        assertThat(waiting(on, "a").putOff()).contains(on.time().now());
    }

    @Test
    default void a_wait_that_was_decided_before_its_settlement_began_with_the_decision() {
        StoreDriver on = open();
        on.publish("a");
        Claim claim = on.claimOne();
        Instant decided = on.time().now();
        Duration delay = Duration.ofSeconds(30, 1_234_567);
        on.pass(Duration.ofSeconds(3));
        on.settle(new Settlement.Retry(
                claim, decided.plus(delay), delay, on.attempt(claim, "IOException", "reset", "retry")));
        assertThat(waiting(on, "a").why()).isEqualTo(Why.BACKOFF);
        Instant since = waiting(on, "a").putOff().orElseThrow();
        assertThat(Duration.between(since, decided).abs()).isLessThan(Duration.ofNanos(1_001));
    }

    @Test
    default void an_event_behind_another_of_its_key_names_the_first_one() {
        StoreDriver on = open();
        on.publish(
                on.event("a").orderingKey("k"),
                on.event("b").orderingKey("k"),
                on.event("c").orderingKey("k"));
        Claim first = on.claimOne();
        assertThat(waiting(on, "b").why()).isEqualTo(Why.BEHIND);
        assertThat(waiting(on, "c").behind()).contains("a");
        on.done(first);
        Claim second = on.claimOne();
        assertThat(second.event().id()).isEqualTo("b");
        assertThat(waiting(on, "c").behind()).contains("b");
    }

    @Test
    default void a_claimed_event_names_its_node() {
        StoreDriver on = open();
        on.publish("a");
        on.claimOne();
        UnfinishedEvent.Claimed claimed =
                (UnfinishedEvent.Claimed) one(on, EventQuery.id("a")).state();
        assertThat(claimed.node()).isEqualTo(StoreDriver.NODE);
        assertThat(claimed.since()).contains(on.time().now());
        assertThat(claimed.until()).isEqualTo(on.time().now().plus(StoreDriver.LEASE));
        assertThat(find(on, EventQuery.name("order.paid"))).hasSize(1);
        assertThat(on.store().unfinished().waiting(10, on.time().now())).isEmpty();
    }

    @Test
    default void a_claim_of_a_later_attempt_tells_since_when_although_its_lease_was_extended() {
        StoreDriver on = open();
        on.publish("a");
        on.retry(on.claimOne(), Duration.ofSeconds(10));
        on.pass(Duration.ofSeconds(10));
        Instant claimed = on.time().now();
        Claim second = on.claimOne();
        on.pass(Duration.ofSeconds(5));
        on.store().extend(List.of(second.token()), StoreDriver.LEASE, on.time().now());
        assertThat(one(on, EventQuery.id("a")).state())
                .isEqualTo(new UnfinishedEvent.Claimed(
                        StoreDriver.NODE, Optional.of(claimed), on.time().now().plus(StoreDriver.LEASE)));
    }

    @Test
    default void an_event_that_no_claimer_wants_is_set_aside() {
        StoreDriver on = open();
        on.publish("a");
        ClaimFilter others = ClaimFilter.of(List.of(new NamePattern("invoice.*")));
        on.store()
                .claim(new ClaimRequest(
                        StoreDriver.NODE,
                        Lane.DOMAIN,
                        10,
                        false,
                        StoreDriver.LEASE,
                        on.time().now(),
                        others));
        assertThat(waiting(on, "a").why()).isEqualTo(Why.SET_ASIDE);
        assertThat(find(on, EventQuery.name("order.paid"))).hasSize(1);
        assertThat(on.store().unfinished().waiting(10, on.time().now())).hasSize(1);
    }

    @Test
    default void a_redriven_event_keeps_its_origin() {
        StoreDriver on = open();
        on.publish("a");
        long origin = one(on, EventQuery.id("a")).position();
        on.dead(on.claimOne());
        assertThat(find(on, EventQuery.id("a"))).isEmpty();
        on.redrive(LetterFilter.ALL);
        UnfinishedEvent again = one(on, EventQuery.id("a"));
        assertThat(again.redrives()).isEqualTo(1);
        assertThat(again.origin()).isEqualTo(origin);
        assertThat(again.position()).isGreaterThan(origin);
    }

    @Test
    default void a_redriven_event_behind_another_of_its_key_was_due_when_it_was_redriven() {
        StoreDriver on = open();
        on.publish(on.event("a").orderingKey("k"));
        on.dead(on.claimOne());
        on.publish(on.event("b").orderingKey("k"));
        on.claimOne();
        on.pass(Duration.ofMinutes(1));
        on.redrive(LetterFilter.ALL);
        Instant redriven = on.time().now();
        on.pass(Duration.ofSeconds(1));
        on.claim();
        assertThat(waiting(on, "a")).isEqualTo(new Waiting(redriven, Why.BEHIND, Optional.of("b")));
    }

    @Test
    default void an_event_that_waits_longer_than_its_key_is_remembered_is_found_by_its_id() {
        StoreDriver on = open();
        on.publish(
                on.event("a").correlationId("a").delay(Duration.ofDays(9)),
                on.event("b").delay(Duration.ofDays(9)));
        on.pass(Duration.ofDays(8));
        on.publish(on.event("b"));
        assertThat(find(on, EventQuery.id("b")))
                .as("the first b, and a later one")
                .hasSize(2);
        while (on.store().expire(on.time().now()) > 0) {
            // Each call forgets some keys.
        }
        assertThat(one(on, EventQuery.id("a")).id()).isEqualTo("a");
        assertThat(find(on, EventQuery.id("b"))).hasSize(2);
        assertThat(one(on, EventQuery.correlationId("a")).id()).isEqualTo("a");
    }

    @Test
    default void an_event_whose_correlation_id_is_its_own_id_is_found_by_both() {
        StoreDriver on = open();
        on.publish(on.event("a").correlationId("a"), on.event("b").correlationId("a"));
        assertThat(find(on, EventQuery.correlationId("a")))
                .extracting(UnfinishedEvent::id)
                .containsExactly("a", "b");
        assertThat(one(on, EventQuery.id("a")).correlationId()).contains("a");
        on.claim().forEach(on::dead);
        on.redrive(LetterFilter.ALL);
        assertThat(find(on, EventQuery.correlationId("a"))).hasSize(2);
    }

    @Test
    default void events_far_apart_are_found_and_waiting_ones_come_soonest_first() {
        StoreDriver on = open();
        on.publish(on.event("early").correlationId("chain").delay(Duration.ofHours(2)));
        for (int i = 0; i < 2; i++) {
            List<Event> events = new ArrayList<>();
            for (int j = 0; j < 5_000; j++) {
                events.add(on.event(i + "-" + j).build());
            }
            on.publish(events);
        }
        on.publish(on.event("late").correlationId("chain").delay(Duration.ofHours(1)));
        on.settleAll(Settlement.Done::new);
        assertThat(find(on, EventQuery.correlationId("chain")))
                .extracting(UnfinishedEvent::id)
                .containsExactly("early", "late");
        assertThat(one(on, EventQuery.id("late")).id()).isEqualTo("late");
        assertThat(on.store().unfinished().waiting(10, on.time().now()))
                .extracting(UnfinishedEvent::id)
                .containsExactly("late", "early");
        assertThat(on.store().unfinished().waiting(1, on.time().now()))
                .extracting(UnfinishedEvent::id)
                .containsExactly("late");
    }

    @Test
    default void a_page_of_unfinished_events_is_limited() {
        StoreDriver on = open();
        on.publishMany(5);
        assertThat(on.store()
                        .unfinished()
                        .find(EventQuery.name("order.paid"), 3, on.time().now()))
                .hasSize(3);
        assertThatThrownBy(() -> on.store().unfinished().waiting(0, on.time().now()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void snooze(StoreDriver on, Claim claim, Cause cause) {
        on.settle(new Settlement.Snooze(claim, on.time().now().plusSeconds(60), cause));
    }

    private static Waiting waiting(StoreDriver on, String id) {
        return (Waiting) one(on, EventQuery.id(id)).state();
    }

    private static UnfinishedEvent one(StoreDriver on, EventQuery query) {
        List<UnfinishedEvent> found = find(on, query);
        assertThat(found).as(query.toString()).hasSize(1);
        return found.get(0);
    }

    private static List<UnfinishedEvent> find(StoreDriver on, EventQuery query) {
        return on.store()
                .unfinished()
                .find(query, DeadLetters.MAX_PAGE, on.time().now());
    }
}
