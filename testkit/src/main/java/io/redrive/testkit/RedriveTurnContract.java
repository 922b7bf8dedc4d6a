package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.RedrivenLetter.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A running redrive operation: each letter once, at its rate, in its stages, with the result of each letter. */
interface RedriveTurnContract extends StoreUnderTest {

    @Test
    default void an_operation_sends_each_letter_once_and_finishes_when_the_last_event_has_ended() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);

        driver.turns();

        assertThat(driver.on().all()).isEmpty();
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(3, 3, 0, 0, 0));
        assertThat(driver.results(id)).containsOnly(Result.REDRIVEN);
        List<Claim> claims = driver.on().claim();
        assertThat(StoreDriver.ids(claims)).containsExactly("e0", "e1", "e2");
        assertThat(claims).allSatisfy(claim -> {
            assertThat(claim.attempts()).isEqualTo(Attempts.NONE);
            assertThat(claim.redrives()).isEqualTo(1);
        });
        driver.on().done(claims.get(0));
        driver.on().done(claims.get(1));
        assertThat(driver.nextSecond(id).counts()).isEqualTo(new RedriveCounts(3, 3, 2, 0, 0));
        assertThat(driver.state(id)).isEqualTo(new RedriveState.Running());
        driver.on().done(claims.get(2));
        RedriveOperation finished = driver.nextSecond(id);
        assertThat(finished.state()).isEqualTo(new RedriveState.Finished());
        assertThat(finished.times().ended()).contains(driver.time().now());
        assertThat(finished.runner()).isEqualTo("node-1");
        assertThat(driver.results(id)).containsOnly(Result.DONE);
        assertThat(driver.turn()).isEqualTo(new RedriveTurn.Idle(RedriveTurn.LONGEST_WAIT));
    }

    @Test
    default void the_record_of_actions_has_one_row_with_the_letters_and_the_end() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String cause = driver.on().all().get(0).fingerprint();
        String id = driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(1));
        assertThat(only(driver).outcome()).isEqualTo("running, 0 of 3");
        driver.turnsWhile(id, operation -> operation.counts().pending() > 0);
        assertThat(only(driver).outcome()).isEqualTo("sent, 3 of 3");
        driver.handle();
        driver.nextSecond(id);
        OperatorAction row = only(driver);
        assertThat(row.command().id()).isEqualTo(id);
        assertThat(row.operator()).isEqualTo("ann");
        assertThat(row.action()).isEqualTo("redrive");
        assertThat(row.detail()).isEqualTo("all letters; finished, 3 of 3");
        assertThat(row.letters()).isEqualTo(3);
        assertThat(row.causes()).containsEntry(cause, 3L);
    }

    @Test
    default void a_turn_tells_the_letters_it_sent_and_the_wait_for_the_next() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(4));
        assertThat(driver.turn()).isInstanceOfSatisfying(RedriveTurn.Taken.class, taken -> {
            assertThat(taken.sent()).isEqualTo(1);
            assertThat(taken.operation().counts().redriven()).isEqualTo(1);
        });
        assertThat(driver.turn()).isEqualTo(new RedriveTurn.Idle(Duration.ofMillis(250)));
    }

    @Test
    default void a_rate_is_kept_over_all_nodes() {
        StoreDriver on = open();
        RedriveDriver driver = new RedriveDriver(on);
        RedriveDriver other = new RedriveDriver(on.on(joined(on)));
        driver.letters(100);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(25));
        for (int second = 1; second <= 3; second++) {
            for (int i = 0; i < 100; i++) {
                driver.turns();
                other.turns();
                on.pass(Duration.ofMillis(10));
            }
            // The first portion of two goes at once.
            assertThat(driver.operation(id).counts().redriven()).isBetween(25L * second - 2, 25L * second + 2);
        }
    }

    @Test
    default void a_canary_waits_for_the_end_of_each_stage() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(30);
        String id = driver.start(RedrivePlan.CANARY);
        List<Long> sent = new ArrayList<>();
        while (!driver.state(id).isEnded()) {
            for (int i = 0; i < 3; i++) {
                sent.add(driver.nextSecond(id).counts().redriven());
            }
            driver.handle();
            sent.add(driver.nextSecond(id).counts().redriven());
        }
        assertThat(sent.stream().distinct()).containsExactly(1L, 11L, 30L);
        assertThat(Collections.frequency(sent, 1L)).isGreaterThanOrEqualTo(3);
        assertThat(Collections.frequency(sent, 30L))
                .as("the last events are waited for")
                .isGreaterThanOrEqualTo(3);
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(30, 30, 30, 0, 0));
    }

    @Test
    default void a_canary_halts_when_its_cause_returns() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String cause = driver.on().all().get(0).fingerprint();
        String id = driver.start(RedrivePlan.CANARY);
        driver.turns();
        driver.on().dead(driver.on().claimOne());

        RedriveOperation halted = driver.nextSecond(id);

        assertThat(halted.state()).isEqualTo(new RedriveState.Halted("the same cause returned", Set.of(cause)));
        assertThat(halted.counts()).isEqualTo(new RedriveCounts(5, 1, 0, 1, 0));
        assertThat(driver.redrives().letters(id, 0, 1))
                .first()
                .satisfies(letter -> assertThat(letter.cause()).isEqualTo(cause));
        assertThat(only(driver).outcome()).isEqualTo("canary halted: the same cause returned [" + cause + "], 1 of 5");
        assertThat(driver.on().all()).hasSize(5);
        driver.turnsWhile(id, operation -> operation.counts().underWay() > 0);
        assertThat(driver.operation(id)).isEqualTo(halted);
    }

    @Test
    default void a_canary_halts_when_most_events_die_of_another_cause() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String id = driver.start(RedrivePlan.CANARY);
        driver.turns();
        driver.on().settle(driver.on().deadOf(driver.on().claimOne(), Reason.TIMEOUT, "TimeoutException", "took long"));
        assertThat(driver.nextSecond(id).state()).isInstanceOfSatisfying(RedriveState.Halted.class, halted -> {
            assertThat(halted.why()).isEqualTo("most died again, of another cause");
            assertThat(halted.fingerprints()).hasSize(1);
        });
    }

    @Test
    default void a_canary_halts_when_events_of_a_stage_do_not_end_in_time() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String id = driver.start(RedrivePlan.CANARY.withStageLimit(Duration.ofSeconds(5)));
        driver.turnsWhile(
                id, operation -> driver.time().now().isBefore(operation.pace().stageEnd()));
        assertThat(driver.state(id)).isEqualTo(new RedriveState.Halted("1 events have not ended within 5s", Set.of()));
    }

    @Test
    default void events_of_a_halted_canary_get_their_results() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String id = driver.start(RedrivePlan.CANARY.withStageLimit(Duration.ofSeconds(2)));
        driver.turnsWhile(id, operation -> !operation.state().isEnded());
        driver.handle();
        driver.nextSecond(id);
        assertThat(driver.results(id)).startsWith(Result.DONE, Result.PENDING);
        assertThat(driver.state(id)).isInstanceOf(RedriveState.Halted.class);
    }

    @Test
    default void letters_that_others_took_are_gone() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(4);
        List<Long> ids = driver.letterIds();
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);
        driver.on()
                .letters()
                .purge(
                        LetterFilter.ofIds(ids.subList(0, 1)),
                        1,
                        "eve",
                        driver.time().now());
        driver.on().redrive(LetterFilter.ofIds(ids.subList(2, 3)));
        driver.turns();
        driver.handle();
        driver.nextSecond(id);
        assertThat(driver.results(id)).containsExactly(Result.GONE, Result.DONE, Result.GONE, Result.DONE);
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(4, 2, 2, 0, 2));
        assertThat(driver.state(id)).isEqualTo(new RedriveState.Finished());
    }

    @Test
    default void a_stage_of_gone_letters_is_filled_by_the_next_letters() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(4);
        String id = driver.start(RedrivePlan.CANARY);
        driver.on()
                .letters()
                .purge(
                        LetterFilter.ofIds(driver.letterIds().subList(0, 2)),
                        2,
                        "eve",
                        driver.time().now());
        driver.turns();
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(4, 1, 0, 0, 2));
    }

    @Test
    default void a_second_death_counts_even_when_its_letter_leaves_before_the_look() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(2);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);
        driver.turns();
        driver.on().settleAll(driver.on()::deadOf);
        List<DeadLetter> again = driver.on().all();
        driver.on().redrive(LetterFilter.ofIds(List.of(again.get(0).id())));
        driver.on()
                .letters()
                .purge(
                        LetterFilter.ofIds(List.of(again.get(1).id())),
                        1,
                        "eve",
                        driver.time().now());
        driver.handle();
        assertThat(driver.nextSecond(id).counts()).isEqualTo(new RedriveCounts(2, 2, 0, 2, 0));
        assertThat(driver.redrives().letters(id, 0, 10))
                .extracting(RedrivenLetter::cause)
                .containsOnly(again.get(0).fingerprint());
    }

    @Test
    default void an_event_that_dies_again_is_not_redriven_again() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(20);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(10));
        while (!driver.state(id).isEnded()) {
            driver.turns();
            driver.on().settleAll(driver.on()::deadOf);
            driver.on().pass(Duration.ofMillis(100));
        }
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(20, 20, 0, 20, 0));
        assertThat(driver.on().all())
                .hasSize(20)
                .allSatisfy(letter -> assertThat(letter.redrives()).isEqualTo(1));
    }

    @Test
    default void operations_take_turns() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(4);
        List<Long> ids = driver.letterIds();
        List<String> operations = new ArrayList<>();
        for (long letter : ids.subList(0, 2)) {
            operations.add(driver.preview(LetterFilter.ofIds(List.of(letter, letter + 2)), RedrivePlan.CANARY)
                    .id());
            driver.change(operations.get(operations.size() - 1), RedriveChange.START);
            driver.on().pass(Duration.ofMillis(1));
        }
        driver.turns();
        assertThat(operations)
                .allSatisfy(id ->
                        assertThat(driver.operation(id).counts().redriven()).isEqualTo(1));
    }

    @Test
    default void a_clock_set_back_by_an_hour_does_not_stop_an_operation() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(1));
        driver.turns();
        driver.time().jump(Duration.ofHours(-1));
        driver.turns();
        assertThat(driver.operation(id).counts().redriven()).isEqualTo(2);
        driver.turnsWhile(id, operation -> operation.counts().pending() > 0);
        // The first event is due by the fast clock.
        driver.on().pass(Duration.ofHours(1));
        driver.handle();
        assertThat(driver.nextSecond(id).state()).isEqualTo(new RedriveState.Finished());
    }

    @Test
    default void more_events_than_a_page_get_their_results() {
        RedriveDriver driver = new RedriveDriver(open());
        int letters = 2_300;
        driver.letters(letters);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);
        driver.turns();
        assertThat(driver.operation(id).counts().redriven()).isEqualTo(letters);
        List<Claim> some = driver.on().claim();
        some.forEach(driver.on()::dead);
        driver.handle();
        driver.turnsWhile(id, operation -> !operation.state().isEnded());
        assertThat(driver.operation(id).counts())
                .isEqualTo(new RedriveCounts(letters, letters, letters - some.size(), some.size(), 0));
        assertThat(driver.on().letters().count(ALL)).isEqualTo(some.size());
    }

    private static OperatorAction only(RedriveDriver driver) {
        List<OperatorAction> rows = driver.on().letters().actions(10);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }
}
