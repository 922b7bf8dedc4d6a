package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.Causes;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.Settlement;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Causes of dead letters: counted with each letter, kept after the letters are gone, cared for by operators. */
interface CauseContract extends StoreUnderTest {

    /** The command of each change. */
    OperatorCommand ANN = OperatorCommand.by("ann");

    @Test
    default void a_letter_is_counted_for_its_cause_by_day_name_and_version() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "1.0");
        on.pass(Duration.ofMinutes(1));
        die(on, "order.paid", "io", "1.0");
        die(on, "order.sent", "io", "");
        on.pass(Duration.ofDays(1));
        die(on, "order.paid", "io", "1.1");

        Cause cause = causes(on).find("io").orElseThrow();
        assertThat(cause.errorType()).isEqualTo("SQLException");
        assertThat(cause.example()).isEqualTo("no such table");
        assertThat(cause.seen()).isEqualTo(4);
        assertThat(cause.names()).containsExactly("order.paid", "order.sent");
        assertThat(cause.perDay().values()).containsExactly(3L, 1L);
        assertThat(cause.sightings())
                .extracting(sighting -> sighting.name() + " "
                        + sighting.version().map(ServiceVersion::text).orElse("-") + " " + sighting.letters())
                .containsExactly("order.paid 1.0 2", "order.sent - 1", "order.paid 1.1 1");
        Sighting first = cause.sightings().get(0);
        assertThat(Duration.between(first.first(), first.last())).isEqualTo(Duration.ofMinutes(1));
        assertThat(cause.firstSeen()).isEqualTo(first.first());
        assertThat(cause.lastSeen()).isEqualTo(on.time().now());
        assertThat(cause.status(on.time().now())).isEqualTo(CauseStatus.OPEN);
    }

    @Test
    default void a_stale_settlement_counts_no_letter() {
        StoreDriver on = open();
        on.publish(List.of(on.event("a").build()));
        Claim claim = on.claimOne();
        on.done(claim);
        assertThat(on.settle(dead(on, claim, "io", ""))).hasSize(1);
        assertThat(causes(on).find("io")).isEmpty();
        assertThat(causes(on).latest(10)).isEmpty();
    }

    @Test
    default void the_care_of_a_cause_survives_redrive_purge_and_a_crash() {
        StoreDriver on = open();
        DeadLetter letter = die(on, "order.paid", "io", "1.0");
        change(on, "io", new CauseChange.Assign("bob"));
        change(on, "io", new CauseChange.Annotate("the proxy drops\nlong bodies"));
        change(on, "io", new CauseChange.LinkTicket("https://tickets/7"));
        on.redrive(LetterFilter.ofIds(List.of(letter.id())));
        on.letters().purge(LetterFilter.ALL, 10, "ann", on.time().now());

        Cause cause = reopened(on).deadLetters().causes().find("io").orElseThrow();
        assertThat(cause.care().owner()).isEqualTo("bob");
        assertThat(cause.care().note()).isEqualTo("the proxy drops\nlong bodies");
        assertThat(cause.care().ticket()).isEqualTo("https://tickets/7");
        assertThat(cause.status(on.time().now())).isEqualTo(CauseStatus.ASSIGNED);
        assertThat(cause.seen()).isEqualTo(1);
    }

    @Test
    default void a_resolved_cause_is_regressed_by_a_letter_of_a_fixed_node_alone() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "2.3");
        change(on, "io", new CauseChange.Resolve(Optional.of(new ServiceVersion("2.4"))));
        assertThat(status(on, "io")).isEqualTo(CauseStatus.RESOLVED);
        on.pass(Duration.ofSeconds(1));
        die(on, "order.paid", "io", "2.3.9");
        die(on, "order.paid", "io", "");
        assertThat(status(on, "io")).isEqualTo(CauseStatus.RESOLVED);
        die(on, "order.paid", "io", "2.10");
        assertThat(status(on, "io")).isEqualTo(CauseStatus.REGRESSED);
        change(on, "io", new CauseChange.Reopen());
        assertThat(status(on, "io")).isEqualTo(CauseStatus.OPEN);
    }

    @Test
    default void a_cause_resolved_without_a_version_is_regressed_by_any_later_letter() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "2.3");
        on.pass(Duration.ofSeconds(1));
        change(on, "io", new CauseChange.Resolve(Optional.empty()));
        assertThat(status(on, "io")).isEqualTo(CauseStatus.RESOLVED);
        on.pass(Duration.ofSeconds(1));
        die(on, "order.paid", "io", "");
        assertThat(status(on, "io")).isEqualTo(CauseStatus.REGRESSED);
    }

    @Test
    default void an_ignored_cause_is_open_again_after_its_letters_or_its_date() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "");
        change(on, "io", new CauseChange.Ignore(Optional.empty(), OptionalLong.of(2)));
        die(on, "order.paid", "io", "");
        assertThat(status(on, "io")).isEqualTo(CauseStatus.IGNORED);
        die(on, "order.paid", "io", "");
        assertThat(status(on, "io")).isEqualTo(CauseStatus.OPEN);

        change(
                on,
                "io",
                new CauseChange.Ignore(Optional.of(on.time().now().plus(Duration.ofHours(1))), OptionalLong.empty()));
        assertThat(status(on, "io")).isEqualTo(CauseStatus.IGNORED);
        assertThat(causes(on).decided()).extracting(Cause::fingerprint).containsExactly("io");
        on.pass(Duration.ofHours(1));
        assertThat(status(on, "io")).isEqualTo(CauseStatus.OPEN);
    }

    @Test
    default void a_refused_change_changes_nothing_and_an_unknown_cause_is_told() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "");
        assertThatThrownBy(() -> change(
                        on, "io", new CauseChange.Ignore(Optional.of(on.time().now()), OptionalLong.empty())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("until must be in the future");
        assertThatThrownBy(() -> change(on, "io", new CauseChange.Assign("x".repeat(201))))
                .hasMessage("owner must be at most 200 characters, got 201");
        assertThat(causes(on)
                        .change("no", new CauseChange.Reopen(), ANN, on.time().now()))
                .isEmpty();
        assertThat(status(on, "io")).isEqualTo(CauseStatus.OPEN);
        assertThat(on.letters().actions(10)).isEmpty();
    }

    @Test
    default void a_change_is_recorded_with_the_state_before() {
        StoreDriver on = open();
        die(on, "order.paid", "io", "");
        causes(on).change("io", new CauseChange.Assign("bob"), ANN, on.time().now());
        OperatorCommand second = OperatorCommand.by("cid");
        causes(on)
                .change(
                        "io",
                        new CauseChange.Resolve(Optional.of(new ServiceVersion("2.4"))),
                        second,
                        on.time().now());

        List<OperatorAction> actions = on.letters().actions(10);
        assertThat(actions).extracting(OperatorAction::action).containsExactly("resolve", "assign");
        assertThat(actions)
                .extracting(OperatorAction::detail)
                .containsExactly(
                        "cause io; resolved, fixed in 2.4; before: assigned",
                        "cause io; assigned to bob; before: open");
    }

    @Test
    default void a_merge_moves_letters_and_counts_and_takes_future_letters() {
        StoreDriver on = open();
        die(on, "order.paid", "old", "");
        on.pass(Duration.ofMinutes(1));
        die(on, "order.paid", "new", "");
        die(on, "order.sent", "old", "");
        die(on, "order.sent", "old", "");

        assertThat(causes(on).merge("old", "new", 2, ANN, on.time().now())).isEqualTo(2);
        assertThat(causes(on).merge("old", "new", 2, ANN, on.time().now())).isEqualTo(1);
        assertThat(causes(on).merge("old", "new", 2, ANN, on.time().now())).isZero();
        die(on, "order.paid", "old", "");

        assertThat(on.letters().count(LetterFilter.ALL.withFingerprint("new"))).isEqualTo(5);
        assertThat(on.letters().count(LetterFilter.ALL.withFingerprint("old"))).isZero();
        Cause merged = causes(on).find("new").orElseThrow();
        assertThat(merged.seen()).isEqualTo(5);
        assertThat(merged.lastSeen().minus(Duration.ofMinutes(1))).isEqualTo(merged.firstSeen());
        assertThat(causes(on).find("old").orElseThrow().mergedInto()).contains("new");
        assertThat(causes(on).latest(10)).extracting(Cause::fingerprint).containsExactly("new");
        assertThat(on.letters().actions(10))
                .singleElement()
                .satisfies(action -> assertThat(action.letters()).isEqualTo(3));
    }

    @Test
    default void causes_merged_earlier_follow_a_later_merge() {
        StoreDriver on = open();
        for (String cause : List.of("a", "b", "c")) {
            die(on, "order.paid", cause, "");
        }
        causes(on).merge("a", "b", 10, ANN, on.time().now());
        causes(on).merge("b", "c", 10, ANN, on.time().now());
        die(on, "order.paid", "a", "");
        assertThat(on.letters().count(LetterFilter.ALL.withFingerprint("c"))).isEqualTo(4);
        assertThat(causes(on).find("c").orElseThrow().seen()).isEqualTo(4);
    }

    @Test
    default void a_merge_that_makes_no_sense_is_refused_and_changes_nothing() {
        StoreDriver on = open();
        for (String cause : List.of("a", "b", "c")) {
            die(on, "order.paid", cause, "");
        }
        causes(on).merge("a", "b", 10, ANN, on.time().now());
        assertThatThrownBy(() -> causes(on).merge("b", "b", 10, ANN, on.time().now()))
                .hasMessage("a cause cannot be merged into itself, got b twice");
        assertThatThrownBy(() -> causes(on).merge("c", "a", 10, ANN, on.time().now()))
                .hasMessageContaining("cause a is merged into cause b");
        assertThatThrownBy(() -> causes(on).merge("c", "no", 10, ANN, on.time().now()))
                .hasMessage("no cause has the fingerprint 'no'");
        assertThatThrownBy(() -> change(on, "a", new CauseChange.Assign("bob")))
                .hasMessageContaining("is merged into cause b; change that cause instead");
        assertThat(on.letters().count(LetterFilter.ALL.withFingerprint("c"))).isEqualTo(1);
    }

    @Test
    default void an_imported_letter_makes_its_cause_known_and_follows_a_merge() {
        StoreDriver from = open();
        DeadLetter letter = die(from, "order.paid", "io", "");
        StoreDriver into = open();
        into.letters().importLetters(List.of(letter), "ann", into.time().now());
        Cause cause = causes(into).find("io").orElseThrow();
        assertThat(cause.seen()).isZero();
        assertThat(cause.firstSeen()).isEqualTo(letter.deadAt());

        die(into, "order.paid", "other", "");
        causes(into).merge("io", "other", 10, ANN, into.time().now());
        into.letters().purge(LetterFilter.ALL, 10, "ann", into.time().now());
        into.letters().importLetters(List.of(letter), "ann", into.time().now());
        assertThat(into.letters().count(LetterFilter.ALL.withFingerprint("other")))
                .isEqualTo(1);
    }

    @Test
    default void old_sightings_expire_and_with_them_causes_that_nobody_cares_for() {
        StoreDriver on = open();
        die(on, "order.paid", "forgotten", "");
        die(on, "order.paid", "noted", "");
        change(on, "noted", new CauseChange.Annotate("rare"));
        on.letters().purge(LetterFilter.ALL, 10, "ann", on.time().now());
        die(on, "order.paid", "with-letter", "");
        on.pass(Duration.ofDays(Cause.DAYS));
        assertThat(causes(on).expire(on.time().now())).isZero();
        on.pass(Duration.ofDays(1));
        assertThat(causes(on).expire(on.time().now())).isEqualTo(4);
        assertThat(causes(on).find("forgotten")).isEmpty();
        assertThat(causes(on).find("noted")).isPresent();
        assertThat(causes(on).find("with-letter")).isPresent();
        assertThat(causes(on).expire(on.time().now())).isZero();
    }

    @Test
    default void letters_that_die_on_many_threads_are_all_counted() {
        StoreDriver on = open();
        int each = 10;
        for (int i = 0; i < 4 * each; i++) {
            on.publish(List.of(on.event("e" + i).build()));
        }
        List<Claim> claims = on.claimEverything();
        Together.run(4, thread -> {
            var mine = joined(on);
            for (Claim claim : claims.subList(thread * each, (thread + 1) * each)) {
                mine.settle(
                        List.of(dead(on, claim, "io", "1." + thread % 2)),
                        on.time().now());
            }
            return null;
        });
        assertThat(causes(on).find("io").orElseThrow().seen()).isEqualTo(4 * each);
    }

    static Causes causes(StoreDriver on) {
        return on.letters().causes();
    }

    static void change(StoreDriver on, String fingerprint, CauseChange change) {
        assertThat(causes(on)
                        .change(
                                fingerprint,
                                change,
                                OperatorCommand.by("ann"),
                                on.time().now()))
                .isPresent();
    }

    private static CauseStatus status(StoreDriver on, String fingerprint) {
        return causes(on).find(fingerprint).orElseThrow().status(on.time().now());
    }

    private static Settlement.Dead dead(StoreDriver on, Claim claim, String fingerprint, String version) {
        return new Settlement.Dead(
                claim,
                Reason.NOT_RETRYABLE,
                on.attempt(claim, "SQLException", "no such table", "dead"),
                fingerprint,
                "shop",
                ServiceVersion.parse(version));
    }

    static DeadLetter die(StoreDriver on, String name, String fingerprint, String version) {
        on.publish(List.of(Event.named(name).source("shop").time(on.time()).build()));
        assertThat(on.settle(dead(on, on.claimOne(), fingerprint, version))).isEmpty();
        List<DeadLetter> letters = on.all();
        return letters.get(letters.size() - 1);
    }
}
