package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.AdoptionResult.Adopted;
import io.redrive.events.AdoptionResult.Fenced;
import io.redrive.events.Adoptions;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.events.journal.UnfinishedEvent.Waiting;
import io.redrive.events.journal.UnfinishedEvent.Why;
import io.redrive.testkit.FaultyStore.Fault;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Adoptions of events from a log: one owner, each place at most once, with the attempts that the event had there. */
interface AdoptionContract extends StoreUnderTest {

    String LOG = "billing/orders/3";
    String KEYS = "billing/orders/3/";

    @Test
    default void an_adopted_retry_waits_and_keeps_attempts_and_history() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Claim claim = record(on, "a", new Attempts(1, 1, 0));
        AttemptRecord earlier = on.attempt(record(on, "a", Attempts.NONE), "IOException", "first", "retry");
        on.pass(Duration.ofSeconds(1));
        Settlement retry = on.retryOf(claim, Duration.ofSeconds(10));
        assertThat(adopt(on, mine, new Adoption(7, retry, List.of(earlier)))).isEqualTo(new Adopted(Set.of(7L)));
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.stats().delayed()).isEqualTo(1);
        on.pass(Duration.ofSeconds(10));
        Claim claimed = on.claimOne();
        assertThat(claimed.event()).isEqualTo(claim.event());
        assertThat(claimed.attempts()).isEqualTo(new Attempts(2, 1, 0));
        assertThat(claimed.lastDelay()).isEqualTo(Duration.ofSeconds(10));
        assertThat(claimed.firstClaimed()).isEqualTo(claim.firstClaimed());
        on.dead(claimed);
        assertThat(on.letters().find(on.all().get(0).id()).orElseThrow().history())
                .extracting(AttemptRecord::message)
                .containsExactly("first", "reset", "no such table");
    }

    @Test
    default void an_adopted_event_tells_why_and_since_when_it_waits() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Instant failed = on.time().now();
        Settlement retry = on.retryOf(record(on, "a", Attempts.NONE), Duration.ofMinutes(1));
        Instant due = failed.plusSeconds(60);
        Settlement snooze = new Settlement.Snooze(record(on, "b", Attempts.NONE), due, Settlement.Snooze.Cause.PAUSED);
        on.pass(Duration.ofSeconds(2));
        Instant adopted = on.time().now();
        adopt(on, mine, new Adoption(7, retry, List.of()), new Adoption(8, snooze, List.of()));
        on.pass(Duration.ofSeconds(1));
        assertThat(on.store().unfinished().waiting(10, on.time().now()))
                .extracting(UnfinishedEvent::state)
                .containsExactly(
                        new Waiting(due, Why.BACKOFF, Optional.empty(), Optional.of(failed)),
                        new Waiting(due, Why.PAUSED, Optional.empty(), Optional.of(adopted)));
    }

    @Test
    default void an_adopted_death_is_a_letter_with_cause_and_history() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Claim claim = record(on, "a", new Attempts(1, 0, 0));
        AttemptRecord earlier = on.attempt(record(on, "a", Attempts.NONE), "IOException", "first", "retry");
        adopt(on, mine, new Adoption(7, on.deadOf(claim), List.of(earlier)));
        assertThat(on.stats()).isEqualTo(new StoreStats(0, 0, 0, 1, Duration.ZERO));
        DeadLetter letter = on.letters().find(on.all().get(0).id()).orElseThrow();
        assertThat(letter.event()).isEqualTo(claim.event());
        assertThat(letter.attempts()).isEqualTo(new Attempts(2, 0, 0));
        assertThat(letter.history()).extracting(AttemptRecord::message).containsExactly("first", "no such table");
        assertThat(on.letters().groups(LetterFilter.ALL, StoreDriver.MANY)).hasSize(1);
        assertThat(on.redrive(LetterFilter.ALL)).isEqualTo(1);
        assertThat(on.claimOne().event()).isEqualTo(claim.event());
    }

    @Test
    default void each_place_is_settled_once() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Adoption parked = parked(on, 1, "a");
        assertThat(adopt(on, mine, parked, parked, parked(on, 2, "b"))).isEqualTo(new Adopted(Set.of(1L, 2L)));
        assertThat(adopt(on, mine, parked, parked(on, 3, "c"))).isEqualTo(new Adopted(Set.of(3L)));
        assertThat(StoreDriver.ids(on.claim())).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(takeOver(on, "p2", 2).settled()).containsExactlyInAnyOrder(2L, 3L);
    }

    @Test
    default void the_same_id_at_two_places_is_two_events() {
        StoreDriver on = open();
        on.publish("a");
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(on, mine, parked(on, 1, "a"), parked(on, 2, "a"));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "a", "a");
    }

    @Test
    default void done_settles_the_place_and_stores_no_event() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(on, mine, new Adoption(4, new Settlement.Done(record(on, "a", Attempts.NONE)), List.of()));
        assertThat(on.claimEverything()).isEmpty();
        assertThat(takeOver(on, "p2", 0).settled()).containsExactly(4L);
    }

    @Test
    default void after_a_takeover_the_former_owner_can_adopt_release_and_prune_nothing() {
        StoreDriver on = open();
        Bookmark former = takeOver(on, "p1", 0).bookmark();
        adopt(on, former, parked(on, 1, "a"));
        Takeover taken = takeOver(on.on(joined(on)), "p2", 0);
        assertThat(taken.settled()).containsExactly(1L);
        assertThat(adopt(on, former, parked(on, 2, "b")))
                .isEqualTo(new Fenced(taken.bookmark().epoch()));
        assertThat(on.store().adoptions().release(former)).isFalse();
        assertThat(on.store()
                        .adoptions()
                        .prune(former, 9, Duration.ZERO, on.time().now()))
                .isZero();
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a");
        assertThat(takeOver(on, "p3", 0).settled()).containsExactly(1L);
    }

    @Test
    default void a_bookmark_that_nobody_took_over_refuses_adoptions() {
        StoreDriver on = open();
        assertThat(adopt(on, new Bookmark(LOG, 1), parked(on, 1, "a"))).isEqualTo(new Fenced(0));
        assertThat(on.claimEverything()).isEmpty();
    }

    @Test
    default void bookmarks_do_not_know_each_other() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Adoptions adoptions = on.store().adoptions();
        Bookmark other = adoptions
                .takeOver(
                        new TakeoverRequest("billing/orders/30", "p1", 0, false, "billing/orders/30/"),
                        on.time().now())
                .bookmark();
        adopt(on, mine, parked(on, 1, "a"));
        assertThat(adopt(on, other, parked(on, 1, "b"))).isEqualTo(new Adopted(Set.of(1L)));
        adoptions.prune(other, 9, Duration.ZERO, on.time().now());
        assertThat(takeOver(on, "p2", 0).settled()).containsExactly(1L);
    }

    @Test
    default void a_log_set_back_by_an_operator_forgets_the_places_from_there_on() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(on, mine, parked(on, 1, "a"), parked(on, 5, "b"));
        Takeover again = on.store()
                .adoptions()
                .takeOver(
                        new TakeoverRequest(LOG, "p1", 3, true, KEYS), on.time().now());
        assertThat(again.settled()).isEmpty();
        assertThat(adopt(on, again.bookmark(), parked(on, 5, "b"))).isEqualTo(new Adopted(Set.of(5L)));
        assertThat(takeOver(on, "p2", 0).settled()).containsExactlyInAnyOrder(1L, 5L);
    }

    @Test
    default void only_old_places_below_the_finished_place_are_pruned() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(on, mine, parked(on, 1, "a"), parked(on, 8, "b"));
        on.pass(Duration.ofMinutes(5));
        adopt(on, mine, parked(on, 2, "c"));
        Adoptions adoptions = on.store().adoptions();
        assertThat(adoptions.prune(mine, 8, Duration.ofMinutes(5), on.time().now()))
                .isEqualTo(1);
        assertThat(takeOver(on, "p2", 0).settled()).containsExactlyInAnyOrder(2L, 8L);
    }

    @Test
    default void crashes_count_at_one_place_only_for_other_processes_and_only_without_a_release() {
        StoreDriver on = open();
        assertThat(takeOver(on, "p1", 5).crashes()).isZero();
        assertThat(takeOver(on, "p1", 5).crashes()).as("the same process").isZero();
        assertThat(takeOver(on, "p2", 5).crashes()).isEqualTo(1);
        Takeover second = takeOver(on, "p3", 5);
        assertThat(second.crashes()).isEqualTo(2);
        assertThat(takeOver(on, "p4", 6).crashes()).as("the log moved on").isEqualTo(1);
        assertThat(on.store().adoptions().release(takeOver(on, "p4", 6).bookmark()))
                .isTrue();
        assertThat(takeOver(on, "p5", 6).crashes()).as("released").isZero();
    }

    @Test
    default void an_adopted_event_waits_behind_the_stored_events_of_its_key() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(
                on,
                mine,
                new Adoption(1, on.retryOf(keyed(on, "a", "k"), Duration.ofSeconds(5)), List.of()),
                new Adoption(2, snooze(on, keyed(on, "b", "k")), List.of()),
                new Adoption(3, snooze(on, keyed(on, "c", "other")), List.of()));
        adopt(on, mine, new Adoption(4, on.retryOf(keyed(on, "d", "k"), Duration.ZERO), List.of()));
        assertThat(StoreDriver.ids(on.claim())).containsExactly("c");
        on.pass(Duration.ofSeconds(5));
        Claim first = on.claimOne();
        assertThat(first.event().id()).isEqualTo("a");
        on.done(first);
        Claim next = on.claimOne();
        assertThat(next.event().id()).isEqualTo("b");
        on.dead(next);
        assertThat(on.claimOne().event().id()).isEqualTo("d");
    }

    @Test
    default void keys_with_unfinished_events_are_known_at_the_takeover_and_afterwards() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        adopt(
                on,
                mine,
                new Adoption(1, snooze(on, keyed(on, "a", "k")), List.of()),
                new Adoption(2, snooze(on, keyed(on, "b", "k")), List.of()),
                new Adoption(3, on.deadOf(keyed(on, "c", "dead")), List.of()));
        on.publish(on.event("d").orderingKey("billing/orders/31/k"));
        Adoptions adoptions = on.store().adoptions();
        assertThat(takeOver(on, "p2", 0).waitingKeys()).containsExactly(KEYS + "k");
        assertThat(adoptions.waiting(List.of(KEYS + "k", KEYS + "dead", KEYS + "x")))
                .containsExactly(KEYS + "k");
        on.claim().forEach(on::done);
        assertThat(adoptions.waiting(List.of(KEYS + "k"))).containsExactly(KEYS + "k");
        on.done(on.claimOne());
        assertThat(adoptions.waiting(List.of(KEYS + "k"))).isEmpty();
        assertThat(takeOver(on, "p3", 0).waitingKeys()).isEmpty();
    }

    @Test
    default void a_suspect_of_a_log_waits_among_the_suspects() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Claim crashed = record(on, "a", new Attempts(0, 0, Attempts.CRASHES_OF_A_SUSPECT));
        adopt(on, mine, new Adoption(1, snooze(on, crashed), List.of()));
        assertThat(on.claim()).isEmpty();
        List<Claim> suspects = on.claim(Lane.SUSPECT, 5);
        assertThat(suspects).hasSize(1);
        assertThat(suspects.get(0).isSuspect()).isTrue();
    }

    @Test
    default void a_refused_adoption_stores_nothing() {
        StoreDriver on = open();
        Bookmark mine = takeOver(on, "p1", 0).bookmark();
        Event large = on.event("large")
                .payload(new byte[on.store().maxPayload() + 1], "application/octet-stream")
                .build();
        Claim claim = new Claim(large, -1, -1, Attempts.NONE, on.time().now(), Duration.ZERO, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> adopt(on, mine, parked(on, 1, "a"), new Adoption(2, snooze(on, claim), List.of())))
                .withMessageContaining("payload must be at most");
        List<Adoption> many = new ArrayList<>();
        for (int i = 0; i <= Adoptions.MAX_ADOPTIONS; i++) {
            many.add(parked(on, i, "x"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> on.store().adoptions().adopt(mine, many, on.time().now()))
                .withMessageContaining("at most 10000");
        assertThat(takeOver(on, "p2", 0).settled()).isEmpty();
        assertThat(on.claimEverything()).isEmpty();
    }

    @Test
    default void any_call_may_fail_before_or_after_it_took_effect_and_each_record_is_kept_once() {
        for (Moment moment : Moment.values()) {
            boolean failed = true;
            for (int call = 1; failed; call++) {
                StoreDriver on = open();
                FaultyStore faulty = FaultyStore.failing(on.store(), call, moment);
                handOver(on, faulty, false);
                failed = faulty.hasFailed();
                assertKeptOnce(on);
            }
        }
    }

    @Test
    default void a_crash_after_any_call_loses_no_record_and_keeps_none_twice() {
        boolean failed = true;
        for (int call = 1; failed; call++) {
            StoreDriver on = open();
            FaultyStore faulty = FaultyStore.failing(on.store(), call, Moment.AFTER);
            StoreDriver after = on;
            try {
                handOver(on, faulty, true);
            } catch (Fault crash) {
                after = on.on(reopened(on));
                handOver(after, after.store(), true);
            }
            failed = faulty.hasFailed();
            assertKeptOnce(after);
        }
    }

    /** Three records of a log: one waits, one dies, one is parked; then the finished places are pruned. */
    private static void handOver(StoreDriver on, EventStore store, boolean impatient) {
        Adoptions adoptions = store.adoptions();
        Takeover taken = repeat(
                impatient,
                () -> adoptions.takeOver(
                        new TakeoverRequest(LOG, "p" + on.time().nanos(), 0, false, KEYS),
                        on.time().now()));
        List<Adoption> all = List.of(
                new Adoption(1, on.retryOf(record(on, "a", Attempts.NONE), Duration.ZERO), List.of()),
                new Adoption(2, on.deadOf(record(on, "b", Attempts.NONE)), List.of()),
                parked(on, 3, "c"));
        for (Adoption each : all) {
            if (!taken.settled().contains(each.place())) {
                repeat(
                        impatient,
                        () -> adoptions.adopt(
                                taken.bookmark(), List.of(each), on.time().now()));
            }
        }
        repeat(impatient, () -> adoptions.adopt(taken.bookmark(), all, on.time().now()));
        repeat(impatient, () -> adoptions.waiting(List.of(KEYS + "k")));
        repeat(impatient, () -> adoptions.release(taken.bookmark()));
        on.pass(Duration.ofMinutes(1));
    }

    private static void assertKeptOnce(StoreDriver on) {
        assertThat(StoreDriver.ids(on.claimEverything())).containsExactlyInAnyOrder("a", "c");
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("b");
    }

    private static <T> T repeat(boolean impatient, Supplier<T> call) {
        try {
            return call.get();
        } catch (Fault fault) {
            if (impatient) {
                throw fault;
            }
            return call.get();
        }
    }

    private static Takeover takeOver(StoreDriver on, String owner, long from) {
        return on.store()
                .adoptions()
                .takeOver(
                        new TakeoverRequest(LOG, owner, from, false, KEYS),
                        on.time().now());
    }

    private static AdoptionResult adopt(StoreDriver on, Bookmark bookmark, Adoption... adoptions) {
        return on.store()
                .adoptions()
                .adopt(bookmark, List.of(adoptions), on.time().now());
    }

    private static Adoption parked(StoreDriver on, long place, String id) {
        return new Adoption(place, snooze(on, record(on, id, Attempts.NONE)), List.of());
    }

    private static Settlement snooze(StoreDriver on, Claim claim) {
        return new Settlement.Snooze(claim, on.time().now());
    }

    private static Claim record(StoreDriver on, String id, Attempts attempts) {
        return claimOf(on, on.event(id).build(), attempts);
    }

    private static Claim keyed(StoreDriver on, String id, String key) {
        return claimOf(on, on.event(id).orderingKey(KEYS + key).build(), Attempts.NONE);
    }

    private static Claim claimOf(StoreDriver on, Event event, Attempts attempts) {
        return new Claim(event, -1, -1, attempts, on.time().now(), Duration.ZERO, 0);
    }
}
