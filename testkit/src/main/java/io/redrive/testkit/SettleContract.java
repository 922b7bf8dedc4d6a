package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import io.redrive.events.journal.EventQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settling: each claim once, in one transaction, and only by its holder. */
interface SettleContract extends StoreUnderTest {

    @Test
    default void a_done_event_is_gone() {
        StoreDriver on = open();
        on.publish("a");
        on.done(on.claimOne());
        on.pass(Duration.ofDays(1));
        on.store().recover(on.time().now());
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void nothing_to_settle_is_fine() {
        assertThat(open().settle()).isEmpty();
    }

    @Test
    default void a_retry_comes_back_when_it_is_due_with_one_failure_more() {
        StoreDriver on = open();
        on.publish("a");
        Instant first = on.time().now();
        on.retry(on.claimOne(), Duration.ofSeconds(10));
        on.pass(Duration.ofMillis(9_999));
        assertThat(on.claimEverything()).isEmpty();
        on.pass(Duration.ofMillis(1));
        Claim again = on.claimOne();
        assertThat(again.attempts()).isEqualTo(new Attempts(1, 0, 0));
        assertThat(again.lastDelay()).isEqualTo(Duration.ofSeconds(10));
        assertThat(again.firstClaimed()).isEqualTo(first);
        on.retry(again, Duration.ofSeconds(20));
        on.pass(Duration.ofSeconds(20));
        Claim third = on.claimOne();
        assertThat(third.attempts()).isEqualTo(new Attempts(2, 0, 0));
        assertThat(third.lastDelay()).isEqualTo(Duration.ofSeconds(20));
        assertThat(third.firstClaimed()).isEqualTo(first);
    }

    @Test
    default void a_retry_may_be_due_at_once() {
        StoreDriver on = open();
        on.publish("a");
        on.retry(on.claimOne(), Duration.ZERO);
        assertThat(on.claimOne().attempts()).isEqualTo(new Attempts(1, 0, 0));
    }

    @Test
    default void a_release_comes_back_at_once_and_spends_no_attempt() {
        StoreDriver on = open();
        on.publish("a");
        assertThat(on.settle(new Settlement.Release(on.claimOne()))).isEmpty();
        Claim again = on.claimOne();
        assertThat(again.attempts()).isEqualTo(new Attempts(0, 1, 0));
        assertThat(again.attempts().current()).isEqualTo(1);
    }

    @Test
    default void a_snooze_comes_back_when_it_is_due_and_counts_nothing() {
        StoreDriver on = open();
        on.publish("a");
        on.settle(new Settlement.Snooze(on.claimOne(), on.time().now().plusSeconds(60)));
        on.pass(Duration.ofSeconds(59));
        assertThat(on.claimEverything()).isEmpty();
        on.pass(Duration.ofSeconds(1));
        assertThat(on.claimOne().attempts()).isEqualTo(Attempts.NONE);
    }

    @Test
    default void a_release_and_a_snooze_keep_the_attempts_of_before() {
        StoreDriver on = open();
        on.publish("a");
        Instant first = on.time().now();
        on.retry(on.claimOne(), Duration.ofSeconds(10));
        on.pass(Duration.ofSeconds(10));
        on.settle(new Settlement.Release(on.claimOne()));
        on.settle(new Settlement.Snooze(on.claimOne(), on.time().now().plusSeconds(5)));
        on.pass(Duration.ofSeconds(5));
        Claim again = on.claimOne();
        assertThat(again.attempts()).isEqualTo(new Attempts(1, 1, 0));
        assertThat(again.firstClaimed()).isEqualTo(first);
        assertThat(again.lastDelay()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void a_dead_event_becomes_a_letter_with_its_whole_history() {
        StoreDriver on = open();
        on.publish(on.event("a").text("hello"));
        on.retry(on.claimOne(), Duration.ofSeconds(10));
        on.pass(Duration.ofSeconds(10));
        Claim last = on.claimOne();
        Settlement.Dead dead = on.deadOf(last, Reason.MAX_ATTEMPTS_EXCEEDED, "SQLException", "no such table");
        assertThat(on.settle(dead)).isEmpty();
        assertThat(on.claimEverything()).isEmpty();

        DeadLetter letter = on.letters().find(on.all().get(0).id()).orElseThrow();
        assertThat(letter.event()).isEqualTo(last.event());
        assertThat(letter.originalPayload()).isEmpty();
        assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(letter.errorType()).isEqualTo("SQLException");
        assertThat(letter.lastError()).isEqualTo("no such table");
        assertThat(letter.fingerprint()).isEqualTo(dead.fingerprint());
        assertThat(letter.service()).isEqualTo("shop-service");
        assertThat(letter.attempts()).isEqualTo(new Attempts(2, 0, 0));
        assertThat(letter.redrives()).isZero();
        assertThat(letter.automaticRedrives()).isZero();
        assertThat(letter.deadAt()).isEqualTo(on.time().now());
        assertThat(letter.history()).hasSize(2).last().isEqualTo(dead.attempt());
        assertThat(letter.history().get(0).number()).isEqualTo(1);
        assertThat(letter.history().get(0).decision()).isEqualTo("retry");
    }

    @Test
    default void different_settlements_go_together() {
        StoreDriver on = open();
        on.publish("done", "retry", "dead", "release", "snooze");
        List<Claim> claims = on.claim();
        assertThat(on.settle(
                        new Settlement.Done(claims.get(0)),
                        on.retryOf(claims.get(1), Duration.ofSeconds(1)),
                        on.deadOf(claims.get(2)),
                        new Settlement.Release(claims.get(3)),
                        new Settlement.Snooze(claims.get(4), on.time().now().plusSeconds(2))))
                .isEmpty();
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactly("release");
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("dead");
        on.pass(Duration.ofSeconds(1));
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactly("retry");
        on.pass(Duration.ofSeconds(1));
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactly("snooze");
    }

    @Test
    default void settling_survives_a_crash() {
        StoreDriver on = open();
        on.publish("done", "retry", "dead");
        List<Claim> claims = on.claim();
        on.settle(
                new Settlement.Done(claims.get(0)), on.retryOf(claims.get(1), Duration.ZERO), on.deadOf(claims.get(2)));
        StoreDriver after = on.on(reopened(on));
        assertThat(StoreDriver.ids(after.claimEverything())).containsExactly("retry");
        assertThat(StoreDriver.idsOf(after.all())).containsExactly("dead");
    }

    @Test
    default void a_claim_settled_before_is_stale_whatever_is_said_of_it() {
        for (int first = 0; first < 5; first++) {
            for (int second = 0; second < 5; second++) {
                StoreDriver on = open();
                on.publish("a");
                Claim claim = on.claimOne();
                on.settle(on.settlementsOf(claim).get(first));
                assertStale(on, claim, on.settlementsOf(claim).get(second));
            }
        }
    }

    @Test
    default void of_two_settlements_of_one_claim_in_one_call_the_first_counts() {
        StoreDriver on = open();
        on.publish("a");
        Claim claim = on.claimOne();
        assertThat(on.settle(new Settlement.Done(claim), on.deadOf(claim))).containsExactly(claim);
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void a_stale_claim_does_not_spoil_other_claims_of_its_call() {
        StoreDriver on = open();
        on.publish("a", "b");
        List<Claim> claims = on.claim();
        on.done(claims.get(0));
        assertThat(on.settle(on.deadOf(claims.get(0)), new Settlement.Done(claims.get(1))))
                .containsExactly(claims.get(0));
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }

    @Test
    default void after_a_takeover_the_former_holder_changes_nothing() {
        for (int kind = 0; kind < 5; kind++) {
            StoreDriver on = open();
            on.publish("a");
            Claim old = on.claimOne();
            on.pass(StoreDriver.LEASE.plusSeconds(1));
            on.store().recover(on.time().now());
            assertStale(on, old, on.settlementsOf(old).get(kind));
            Claim taken = on.claimOne();
            assertStale(on, old, on.settlementsOf(old).get(kind));
            on.done(taken);
        }
    }

    @Test
    default void a_claim_from_before_a_redrive_changes_nothing() {
        for (int kind = 0; kind < 5; kind++) {
            StoreDriver on = open();
            on.publish("a");
            Claim old = on.claimOne();
            on.dead(old);
            on.redrive(LetterFilter.ALL);
            assertStale(on, old, on.settlementsOf(old).get(kind));
            on.done(on.claimOne());
        }
    }

    private static void assertStale(StoreDriver on, Claim claim, Settlement late) {
        StoreStats before = on.stats();
        List<DeadLetter> letters = on.all();
        assertThat(on.settle(late)).as(late.getClass().getSimpleName()).containsExactly(claim);
        assertThat(on.stats()).isEqualTo(before);
        assertThat(StoreDriver.idsOf(on.all())).isEqualTo(StoreDriver.idsOf(letters));
    }

    @Test
    default void a_store_remembers_no_finished_event_unless_asked_to() {
        StoreDriver on = open();
        on.publish("a");
        on.done(on.claimOne());
        assertThat(on.store().journal().isOn()).isFalse();
        assertThat(on.store().journal().find(EventQuery.id("a"), 10)).isEmpty();
        assertThat(on.store().journal().since()).isEmpty();
    }
}
