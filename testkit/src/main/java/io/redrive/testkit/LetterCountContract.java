package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counts and groups of letters: whatever a store keeps instead of counting equals the letters that it lists. */
interface LetterCountContract extends StoreUnderTest {

    /** A failure names its seed; {@code -Dredrive.seed=…} repeats the use with this seed. */
    @Test
    default void counts_equal_the_letters_after_any_use_with_failing_calls_and_crashes() {
        Long given = Long.getLong("redrive.seed");
        long last = given == null ? 2 : given;
        for (long seed = given == null ? 1 : given; seed <= last; seed++) {
            try {
                new RandomLetterUse(seed, this).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("failed with -Dredrive.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    default void letters_that_die_at_the_same_time_on_two_nodes_are_all_counted() {
        StoreDriver one = open();
        StoreDriver other = one.on(joined(one));
        one.publishMany(80);
        Together.run(4, node -> {
            StoreDriver on = node % 2 == 0 ? one : other;
            for (int i = 0; i < 10; i++) {
                on.claim(Lane.DOMAIN, 2).forEach(on::dead);
                on.redrive(LetterFilter.ALL, 1, "batch-" + node + "-" + i);
            }
            return node;
        });
        one.store().expire(one.time().now());
        assertThat(one.letters().count(LetterFilter.ALL)).isEqualTo(one.all().size());
        assertThat(other.stats().dead()).isEqualTo(one.all().size());
    }

    @Test
    default void a_group_shows_the_letter_that_was_given_up_first_also_when_it_was_imported_last() {
        StoreDriver on = open();
        DeadLetter old = on.letter(on.event("old"), Reason.TIMEOUT, "E", "no row 1");
        List<DeadLetter> export = on.letters().listWithHistory(LetterFilter.ALL, 0, 10);
        on.letters().purge(LetterFilter.ALL, 10, "ann", on.time().now());
        on.pass(Duration.ofHours(1));
        DeadLetter young = on.letter(on.event("young"), Reason.TIMEOUT, "E", "no row 2");
        on.letters().importLetters(export, "ann", on.time().now());
        for (LetterFilter filter : List.of(LetterFilter.ALL, LetterFilter.ALL.withErrorType("E"))) {
            assertThat(on.letters().groups(filter, 10)).singleElement().satisfies(group -> {
                assertThat(group.example()).isEqualTo("no row 1");
                assertThat(group.firstDead()).isEqualTo(old.deadAt());
                assertThat(group.lastDead()).isEqualTo(young.deadAt());
            });
        }
    }

    @Test
    default void many_causes_are_counted_at_once() {
        StoreDriver on = open();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            events.add(on.event("e" + i).build());
        }
        on.publish(events);
        String[] errors = {"TypeA", "TypeB", "TypeC"};
        on.settleAll(
                claim -> on.deadOf(claim, Reason.TIMEOUT, errors[(int) (claim.position() % errors.length)], "gone"));
        List<LetterGroup> groups = on.letters().groups(LetterFilter.ALL, 10);
        List<String> asked = new ArrayList<>(
                groups.stream().limit(2).map(LetterGroup::fingerprint).toList());
        for (int i = 0; i < 300; i++) {
            asked.add("unknown-" + i);
        }
        asked.add(asked.get(0));
        assertThat(on.letters().countByCause(asked))
                .isEqualTo(Map.of(
                        groups.get(0).fingerprint(), groups.get(0).count(),
                        groups.get(1).fingerprint(), groups.get(1).count()));
        assertThat(on.letters().countByCause(List.of())).isEmpty();
    }
}
