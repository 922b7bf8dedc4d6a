package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claiming: due events, in order, each event by one claimer. */
interface ClaimContract extends StoreUnderTest {

    @Test
    default void a_first_claim_says_that_nothing_happened_before() {
        StoreDriver on = open();
        on.publish("a");
        on.pass(Duration.ofSeconds(3));
        Claim claim = on.claimOne();
        assertThat(claim.attempts()).isEqualTo(Attempts.NONE);
        assertThat(claim.firstClaimed()).isEqualTo(on.time().now());
        assertThat(claim.lastDelay()).isZero();
        assertThat(claim.redrives()).isZero();
        assertThat(claim.isSuspect()).isFalse();
    }

    @Test
    default void a_claimed_event_is_not_claimed_again() {
        StoreDriver on = open();
        on.publish("a");
        on.claimOne();
        assertThat(on.claimEverything()).isEmpty();
    }

    @Test
    default void a_claim_takes_no_more_than_its_demand() {
        StoreDriver on = open();
        on.publish("a", "b", "c");
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 2))).containsExactly("a", "b");
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 2))).containsExactly("c");
    }

    @Test
    default void the_oldest_due_comes_first_and_then_the_order_of_publishing() {
        StoreDriver on = open();
        on.publish(
                on.event("late").delay(Duration.ofSeconds(2)),
                on.event("early").delay(Duration.ofSeconds(1)),
                on.event("late-too").delay(Duration.ofSeconds(2)));
        on.pass(Duration.ofSeconds(5));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("early", "late", "late-too");
    }

    @Test
    default void positions_ascend_in_the_order_of_publishing() {
        StoreDriver on = open();
        on.publish("a", "b");
        on.publish("c");
        assertThat(on.claim()).extracting(Claim::position).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void tokens_ascend_from_claim_to_claim_and_are_shared_within_one() {
        StoreDriver on = open();
        on.publish("a", "b", "c");
        List<Claim> first = on.claim(Lane.DOMAIN, 2);
        assertThat(first.get(0).token()).isEqualTo(first.get(1).token());
        List<Claim> second = on.claim(Lane.DOMAIN, 2);
        assertThat(second.get(0).token()).isGreaterThan(first.get(0).token());
        StoreDriver after = on.on(reopened(on));
        after.publish("d");
        assertThat(after.claimOne().token()).isGreaterThan(second.get(0).token());
    }

    @Test
    default void each_priority_travels_in_its_lane_most_urgent_first() {
        StoreDriver on = open();
        publishAllPriorities(on);
        assertThat(StoreDriver.ids(on.claim(Lane.CRITICAL, 10))).containsExactly("critical", "high");
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 10))).containsExactly("normal", "low");
        assertThat(on.claim(Lane.SUSPECT, 10)).isEmpty();
    }

    @Test
    default void the_least_urgent_comes_first_when_asked_for() {
        StoreDriver on = open();
        publishAllPriorities(on);
        assertThat(StoreDriver.ids(on.claim(Lane.CRITICAL, 1, true))).containsExactly("high");
        assertThat(StoreDriver.ids(on.claim(Lane.CRITICAL, 1, true))).containsExactly("critical");
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 10, true))).containsExactly("low", "normal");
    }

    @Test
    default void urgency_goes_before_age() {
        StoreDriver on = open();
        on.publish(on.event("old-low").priority(Priority.LOW));
        on.pass(Duration.ofMinutes(1));
        on.publish("young-normal");
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 1))).containsExactly("young-normal");
    }

    @Test
    default void many_claimers_never_share_an_event() {
        StoreDriver on = open();
        int events = 2_000;
        on.publishMany(events);
        List<List<Claim>> claimed = Together.run(4, thread -> {
            StoreDriver mine = on.on(joined(on));
            List<Claim> all = new ArrayList<>();
            for (List<Claim> one = mine.claim(Lane.DOMAIN, 1); !one.isEmpty(); one = mine.claim(Lane.DOMAIN, 1)) {
                all.addAll(one);
            }
            return all;
        });
        List<Claim> all = claimed.stream().flatMap(List::stream).toList();
        assertThat(StoreDriver.ids(all)).hasSize(events).doesNotHaveDuplicates();
    }

    private static void publishAllPriorities(StoreDriver on) {
        for (Priority priority : Priority.values()) {
            on.publish(on.event(priority.code()).priority(priority));
        }
    }

    @Test
    default void a_claim_tells_the_deadline_of_its_event() {
        StoreDriver on = open();
        Instant deadline = on.time().now().plusSeconds(90);
        on.publish(on.event("soon").deadline(deadline), on.event("whenever"));
        List<Claim> claims = on.claim();
        assertThat(claims.get(0).deadline()).hasValue(deadline);
        assertThat(claims.get(1).deadline()).isEmpty();
    }
}
