package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases: a claim lasts while it is renewed, and events of an expired lease become ready. */
interface LeaseContract extends StoreUnderTest {

    @Test
    default void a_lease_that_runs_is_left_alone() {
        StoreDriver on = open();
        on.publish("a");
        on.claimOne();
        on.pass(StoreDriver.LEASE.minusMillis(1));
        assertThat(on.store().recover(on.time().now())).isZero();
        assertThat(on.claimEverything()).isEmpty();
    }

    @Test
    default void an_event_of_a_crashed_process_keeps_its_lane_and_stands_alone() {
        StoreDriver on = open();
        on.publish(on.event("a").priority(Priority.CRITICAL), on.event("b").priority(Priority.LOW));
        Instant first = on.time().now();
        List<Claim> lost = on.claimEverything();
        assertThat(lost).hasSize(2).noneMatch(Claim::standsAlone);
        on.pass(StoreDriver.LEASE.plusMillis(1));
        assertThat(on.store().recover(on.time().now())).isEqualTo(2);
        assertThat(on.store().recover(on.time().now())).isZero();
        assertThat(on.claim(Lane.SUSPECT, 10)).isEmpty();
        assertThat(on.claim(Lane.CRITICAL, 10)).singleElement().satisfies(again -> {
            assertThat(again.event().id()).isEqualTo("a");
            assertThat(again.standsAlone()).isTrue();
            assertThat(again.isSuspect()).isFalse();
            assertThat(again.attempts()).isEqualTo(new Attempts(0, 0, 1));
            assertThat(again.firstClaimed()).isEqualTo(first);
            assertThat(again.token()).isGreaterThan(lost.get(0).token());
        });
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 10))).containsExactly("b");
    }

    @Test
    default void a_third_crash_makes_an_event_a_suspect() {
        StoreDriver on = open();
        on.publish("a");
        assertThat(suspect(on).isSuspect()).isTrue();
        on.pass(StoreDriver.LEASE.plusMillis(1));
        on.store().recover(on.time().now());
        assertThat(on.claim(Lane.DOMAIN, 10)).isEmpty();
        assertThat(on.claim(Lane.SUSPECT, 10)).extracting(Claim::attempts).containsExactly(new Attempts(0, 0, 4));
    }

    @Test
    default void a_lease_that_ran_out_although_its_process_lives_is_an_interruption() {
        StoreDriver on = open();
        on.publish("a", "b", "c");
        claimAs(on, "alive");
        claimAs(on, "unclear");
        claimAs(on, "gone");
        on.pass(StoreDriver.LEASE.plusMillis(1));
        LeaseHolders holders = new LeaseHolders(Set.of("alive", "other"), Set.of("unclear"));
        assertThat(on.store().recover(on.time().now(), holders)).isEqualTo(2);
        assertThat(on.store().recover(on.time().now(), holders)).isZero();
        List<Claim> again = on.claimEverything();
        assertThat(StoreDriver.ids(again)).containsExactlyInAnyOrder("a", "c");
        assertThat(again)
                .allSatisfy(claim -> assertThat(claim.attempts())
                        .isEqualTo(claim.event().id().equals("a") ? new Attempts(0, 1, 0) : new Attempts(0, 0, 1)));
        again.forEach(on::done);
        assertThat(on.store().recover(on.time().now())).as("those left alone").isEqualTo(1);
        assertThat(on.claimOne().attempts()).isEqualTo(new Attempts(0, 0, 1));
    }

    @Test
    default void interruptions_and_crashes_of_recovered_events_add_up_apart() {
        StoreDriver on = open();
        on.publish("a");
        LeaseHolders lives = new LeaseHolders(Set.of(StoreDriver.NODE), Set.of());
        for (LeaseHolders holders : List.of(
                lives, LeaseHolders.ALL_GONE, lives, LeaseHolders.ALL_GONE, lives, LeaseHolders.ALL_GONE, lives)) {
            on.claimOne();
            on.pass(StoreDriver.LEASE.plusMillis(1));
            assertThat(on.store().recover(on.time().now(), holders)).isEqualTo(1);
        }
        assertThat(on.claim(Lane.SUSPECT, 1)).extracting(Claim::attempts).containsExactly(new Attempts(0, 4, 3));
    }

    private static void claimAs(StoreDriver on, String node) {
        ClaimRequest request = new ClaimRequest(
                node, Lane.DOMAIN, 1, false, StoreDriver.LEASE, on.time().now());
        assertThat(on.store().claim(request)).hasSize(1);
    }

    @Test
    default void crashes_add_up() {
        StoreDriver on = open();
        on.publish("a");
        for (int crashes = 0; crashes < 5; crashes++) {
            assertThat(on.claimOne().attempts()).isEqualTo(new Attempts(0, 0, crashes));
            on.pass(StoreDriver.LEASE.plusMillis(1));
            on.store().recover(on.time().now());
        }
    }

    @Test
    default void a_suspect_stays_one_until_it_is_finished() {
        StoreDriver on = open();
        on.publish("a");
        Claim suspect = suspect(on);
        on.retry(suspect, Duration.ZERO);
        assertThat(on.claim(Lane.DOMAIN, 10)).isEmpty();
        on.settle(new Settlement.Release(on.claimOne()));
        assertThat(on.claim(Lane.DOMAIN, 10)).isEmpty();
        on.settle(new Settlement.Snooze(on.claimOne(), on.time().now()));
        assertThat(on.claim(Lane.DOMAIN, 10)).isEmpty();
        assertThat(on.claim(Lane.SUSPECT, 10)).extracting(Claim::attempts).containsExactly(new Attempts(1, 1, 3));
    }

    @Test
    default void suspects_are_claimed_by_priority_and_then_by_due_time() {
        StoreDriver on = open();
        for (Priority priority : List.of(Priority.LOW, Priority.CRITICAL, Priority.NORMAL, Priority.HIGH)) {
            on.publish(on.event(priority + "-1").priority(priority));
            on.publish(on.event(priority + "-2").priority(priority));
        }
        makeSuspects(on, 8);
        assertThat(StoreDriver.ids(on.claim(Lane.SUSPECT, 3))).containsExactly("critical-1", "critical-2", "high-1");
        ClaimRequest lowest = new ClaimRequest(
                "a", Lane.SUSPECT, 1, true, StoreDriver.LEASE, on.time().now());
        assertThat(StoreDriver.ids(on.store().claim(lowest))).containsExactly("low-1");
        assertThat(StoreDriver.ids(on.claim(Lane.SUSPECT, 10)))
                .containsExactly("high-2", "normal-1", "normal-2", "low-2");
    }

    @Test
    default void suspects_of_every_priority_are_counted_and_may_be_set_aside() {
        StoreDriver on = open();
        for (Priority priority : Priority.values()) {
            on.publish(on.event(priority.name()).priority(priority));
        }
        makeSuspects(on, 4);
        assertThat(on.stats().ready()).isEqualTo(4);
        ClaimFilter refusing = ClaimFilter.of(Set.of(new NamePattern("unknown.*")));
        ClaimRequest request = new ClaimRequest(
                "a", Lane.SUSPECT, 10, false, StoreDriver.LEASE, on.time().now(), refusing);
        assertThat(on.store().claim(request)).isEmpty();
        assertThat(on.stats().waiting().setAside()).isEqualTo(4);
        assertThat(on.claim(Lane.SUSPECT, 10)).hasSize(4);
    }

    @Test
    default void a_suspect_whose_process_held_a_neighbour_counts_no_crash() {
        StoreDriver on = open();
        on.publish("a", "b");
        makeSuspects(on, 2);
        on.claim(Lane.SUSPECT, 2);
        crash(on);
        assertThat(on.claim(Lane.SUSPECT, 2))
                .extracting(Claim::attempts)
                .containsOnly(new Attempts(0, 1, Attempts.CRASHES_OF_A_SUSPECT));
    }

    @Test
    default void a_neighbour_of_another_lease_protects_a_suspect_whichever_lease_ends_first() {
        for (boolean suspectFirst : List.of(true, false)) {
            StoreDriver on = open();
            on.publish("suspect");
            makeSuspects(on, 1);
            on.publish("neighbour");
            on.claim(suspectFirst ? Lane.SUSPECT : Lane.DOMAIN, 1);
            on.pass(Duration.ofSeconds(10));
            on.claim(suspectFirst ? Lane.DOMAIN : Lane.SUSPECT, 1);
            on.pass(StoreDriver.LEASE.minusSeconds(5));
            assertThat(on.store().recover(on.time().now())).isEqualTo(1);
            on.pass(Duration.ofSeconds(5));
            assertThat(on.store().recover(on.time().now())).isEqualTo(1);
            assertThat(on.claim(Lane.SUSPECT, 1))
                    .extracting(Claim::attempts)
                    .containsExactly(new Attempts(0, 1, Attempts.CRASHES_OF_A_SUSPECT));
            crash(on);
            assertThat(on.claim(Lane.SUSPECT, 1))
                    .as("alone in its process")
                    .extracting(Claim::attempts)
                    .containsExactly(new Attempts(0, 1, Attempts.CRASHES_OF_A_SUSPECT + 1));
        }
    }

    @Test
    default void a_claim_of_another_process_and_a_settled_claim_are_no_neighbours() {
        StoreDriver on = open();
        on.publish("suspect");
        makeSuspects(on, 1);
        on.publish("settled", "elsewhere");
        on.claim(Lane.SUSPECT, 1);
        on.done(on.claim(Lane.DOMAIN, 1).get(0));
        claimAs(on, "other");
        crash(on);
        assertThat(on.claim(Lane.SUSPECT, 1))
                .extracting(Claim::attempts)
                .containsExactly(new Attempts(0, 0, Attempts.CRASHES_OF_A_SUSPECT + 1));
    }

    @Test
    default void a_redriven_suspect_starts_anew() {
        StoreDriver on = open();
        on.publish("a");
        on.dead(suspect(on));
        on.redrive(LetterFilter.ALL);
        assertThat(on.claim(Lane.DOMAIN, 10)).extracting(Claim::attempts).containsExactly(Attempts.NONE);
    }

    @Test
    default void a_late_settle_counts_until_the_lease_is_recovered() {
        StoreDriver on = open();
        on.publish("a");
        Claim claim = on.claimOne();
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        on.done(claim);
        assertThat(on.store().recover(on.time().now())).isZero();
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void an_extended_lease_lasts_from_then_on() {
        StoreDriver on = open();
        on.publish("a", "b");
        List<Claim> claims = on.claim();
        for (int beats = 0; beats < 5; beats++) {
            on.pass(Duration.ofSeconds(20));
            on.store()
                    .extend(
                            List.of(claims.get(0).token()),
                            StoreDriver.LEASE,
                            on.time().now());
            assertThat(on.store().recover(on.time().now())).isZero();
        }
        claims.forEach(on::done);
    }

    @Test
    default void only_the_given_claims_are_extended() {
        StoreDriver on = open();
        on.publish("kept", "lost");
        Claim kept = on.claim(Lane.DOMAIN, 1).get(0);
        on.claim(Lane.DOMAIN, 1);
        on.pass(Duration.ofSeconds(20));
        on.store().extend(List.of(kept.token()), StoreDriver.LEASE, on.time().now());
        on.pass(Duration.ofSeconds(11));
        assertThat(on.store().recover(on.time().now())).isEqualTo(1);
        assertThat(StoreDriver.ids(on.claim(Lane.DOMAIN, 10))).containsExactly("lost");
        on.done(kept);
    }

    @Test
    default void extending_a_stale_claim_changes_nothing() {
        StoreDriver on = open();
        on.publish("a");
        Claim old = on.claimOne();
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        on.store().recover(on.time().now());
        on.claimOne();
        on.store().extend(List.of(old.token()), Duration.ofDays(1), on.time().now());
        on.store().extend(List.of(), Duration.ofDays(1), on.time().now());
        on.pass(StoreDriver.LEASE.plusSeconds(1));
        assertThat(on.store().recover(on.time().now())).isEqualTo(1);
    }

    @Test
    default void claims_of_a_dead_process_are_found_after_their_lease() {
        StoreDriver on = open();
        on.publish("a", "b");
        on.claim();
        StoreDriver after = on.on(reopened(on));
        assertThat(after.store().recover(after.time().now())).isZero();
        after.pass(StoreDriver.LEASE.plusSeconds(1));
        assertThat(after.store().recover(after.time().now())).isEqualTo(2);
        assertThat(StoreDriver.ids(after.claim(Lane.DOMAIN, 1))).containsExactly("a");
        assertThat(StoreDriver.ids(after.claim(Lane.DOMAIN, 1))).containsExactly("b");
    }

    @Test
    default void a_clock_that_jumps_ahead_ends_leases_early_and_settles_nothing_twice() {
        StoreDriver on = open();
        on.publish("a");
        Claim first = on.claimOne();
        on.time().jump(Duration.ofHours(1));
        assertThat(on.publish("a")).containsExactly(PublishResult.DUPLICATE);
        on.store().recover(on.time().now());
        Claim second = on.claimOne();
        assertThat(on.settle(new Settlement.Done(first))).containsExactly(first);
        on.done(second);
        on.time().jump(Duration.ofHours(-1));
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.publish("a")).containsExactly(PublishResult.DUPLICATE);
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void a_clock_that_jumps_back_loses_nothing() {
        StoreDriver on = open();
        on.publish("held", "retried", "waiting");
        List<Claim> claims = on.claim(Lane.DOMAIN, 2);
        on.retry(claims.get(1), Duration.ofSeconds(10));
        on.time().jump(Duration.ofHours(-1));
        assertThat(on.publish("waiting", "held")).containsOnly(PublishResult.DUPLICATE);
        assertThat(on.store().recover(on.time().now())).isZero();
        on.done(claims.get(0));
        on.pass(Duration.ofHours(1).plusSeconds(10));
        List<Claim> rest = on.claim();
        assertThat(StoreDriver.ids(rest)).containsExactlyInAnyOrder("retried", "waiting");
        rest.forEach(on::done);
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    private static Claim suspect(StoreDriver on) {
        makeSuspects(on, 1);
        return on.claimOne();
    }

    /** All events of the store, held by processes that die until they are suspects. */
    private static void makeSuspects(StoreDriver on, int events) {
        for (int crashes = 0; crashes < Attempts.CRASHES_OF_A_SUSPECT; crashes++) {
            assertThat(on.claimEverything()).hasSize(events);
            crash(on);
        }
    }

    private static void crash(StoreDriver on) {
        on.pass(StoreDriver.LEASE.plusMillis(1));
        on.store().recover(on.time().now());
    }
}
