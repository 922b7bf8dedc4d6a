package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.Priority;
import io.redrive.events.RedriveRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Redrive: each letter once, with its history, in the order in which the letters died. */
interface LetterRedriveContract extends StoreUnderTest {

    @Test
    default void a_redriven_letter_is_an_event_again_with_no_attempt_spent() {
        StoreDriver on = open();
        on.publish("a");
        Claim first = on.claimOne();
        on.retry(first, Duration.ofSeconds(5));
        on.pass(Duration.ofSeconds(5));
        on.dead(on.claimOne());
        on.pass(Duration.ofHours(1));
        assertThat(on.redrive(ALL)).isEqualTo(1);
        assertThat(on.all()).isEmpty();
        on.pass(Duration.ofSeconds(1));
        Claim again = on.claimOne();
        assertThat(again.event()).isEqualTo(first.event());
        assertThat(again.position()).isGreaterThan(first.position());
        assertThat(again.attempts()).isEqualTo(Attempts.NONE);
        assertThat(again.lastDelay()).isZero();
        assertThat(again.firstClaimed()).isEqualTo(on.time().now());
        assertThat(again.redrives()).isEqualTo(1);
    }

    @Test
    default void a_letter_that_dies_again_has_the_history_of_all_its_lives() {
        StoreDriver on = open();
        DeadLetter first = on.letter(on.event("a"));
        on.redrive(ALL);
        on.letters()
                .redrive(new RedriveRequest(
                        ALL, 10, "none", "ann", false, on.time().now()));
        on.settle(on.deadOf(on.claimOne(), Reason.TIMEOUT, "TimeoutException", "took 31 s"));
        DeadLetter second = on.letters().find(on.all().get(0).id()).orElseThrow();
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(second.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(second.redrives()).isEqualTo(1);
        assertThat(second.automaticRedrives()).isZero();
        assertThat(second.attempts()).isEqualTo(new Attempts(1, 0, 0));
        assertThat(second.history()).hasSize(2);
        assertThat(second.history().get(0)).isEqualTo(first.history().get(0));
        assertThat(second.history().get(1).errorType()).isEqualTo("TimeoutException");
    }

    @Test
    default void automatic_redrives_are_counted_apart() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.letters()
                .redrive(new RedriveRequest(
                        ALL, 10, "auto", "redrive", true, on.time().now()));
        on.dead(on.claimOne());
        on.redrive(ALL);
        on.dead(on.claimOne());
        assertThat(on.all()).singleElement().satisfies(letter -> {
            assertThat(letter.redrives()).isEqualTo(2);
            assertThat(letter.automaticRedrives()).isEqualTo(1);
        });
    }

    @Test
    default void redriving_twice_equals_once() {
        StoreDriver on = open();
        DeadLetter letter = on.letter(on.event("a"));
        LetterFilter it = LetterFilter.ofIds(List.of(letter.id()));
        assertThat(on.redrive(it)).isEqualTo(1);
        assertThat(on.redrive(it)).isZero();
        assertThat(on.claimEverything()).hasSize(1);
    }

    @Test
    default void the_filter_and_the_limit_choose_the_oldest_letters() {
        StoreDriver on = open();
        on.letter(on.event("a"), Reason.TIMEOUT, "TimeoutException", "slow");
        on.letter(on.event("b"));
        on.letter(on.event("c"), Reason.TIMEOUT, "TimeoutException", "slow");
        on.letter(on.event("d"), Reason.TIMEOUT, "TimeoutException", "slow");
        assertThat(on.redrive(ALL.withReason(Reason.TIMEOUT), 2, "batch-1")).isEqualTo(2);
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("b", "d");
        assertThat(StoreDriver.ids(on.claim())).containsExactly("a", "c");
    }

    @Test
    default void a_deadline_that_has_passed_is_dropped_and_one_to_come_is_kept() {
        StoreDriver on = open();
        on.letter(on.event("past").deadline(on.time().now().plusSeconds(10)));
        on.letter(on.event("to-come").deadline(on.time().now().plusSeconds(1_000)));
        on.pass(Duration.ofSeconds(100));
        on.redrive(ALL);
        List<Claim> claims = on.claim();
        assertThat(claims.get(0).deadline()).isEmpty();
        assertThat(claims.get(1).deadline()).isPresent();
    }

    @Test
    default void a_redriven_event_is_due_at_once_in_the_lane_of_its_priority() {
        StoreDriver on = open();
        on.publish(on.event("a").priority(Priority.HIGH).delay(Duration.ofSeconds(10)));
        on.pass(Duration.ofSeconds(10));
        on.dead(on.claimOne());
        on.redrive(ALL);
        assertThat(StoreDriver.ids(on.claim(Lane.CRITICAL, 10))).containsExactly("a");
    }

    @Test
    default void concurrent_redrives_of_the_same_letters_bring_each_back_once() {
        StoreDriver on = open();
        int letters = 200;
        on.publishMany(letters);
        on.settleAll(on::deadOf);
        List<Integer> redriven = Together.run(4, thread -> {
            StoreDriver mine = on.on(joined(on));
            int sum = 0;
            for (int some = mine.redrive(ALL, 1, "batch"); some > 0; some = mine.redrive(ALL, 1, "batch")) {
                sum += some;
            }
            return sum;
        });
        assertThat(redriven.stream().mapToInt(Integer::intValue).sum()).isEqualTo(letters);
        assertThat(on.all()).isEmpty();
        assertThat(on.stats().ready()).isEqualTo(letters);
        assertThat(on.letters().actions(1_000).stream()
                        .mapToLong(OperatorAction::letters)
                        .sum())
                .isEqualTo(letters);
    }

    @Test
    default void redriving_survives_a_crash() {
        StoreDriver on = open();
        on.letter(on.event("a"));
        on.letter(on.event("b"));
        on.redrive(ALL, 1, "b1");
        StoreDriver after = on.on(reopened(on));
        assertThat(StoreDriver.ids(after.claimEverything())).containsExactly("a");
        assertThat(StoreDriver.idsOf(after.all())).containsExactly("b");
    }
}
