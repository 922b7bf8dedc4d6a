package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The preview of a redrive operation: the selection is written in pieces, frozen, and free of other operations. */
interface RedriveSelectionContract extends StoreUnderTest {

    @Test
    default void a_preview_keeps_the_selected_letters_and_sends_none() {
        RedriveDriver driver = new RedriveDriver(open());
        DeadLetter slow = driver.on().letter(driver.on().event("a"), Reason.TIMEOUT, "TimeoutException", "took long");
        driver.on().letter(driver.on().event("b"));
        RedriveOrder order = RedriveOrder.of(
                        ALL.withReason(Reason.TIMEOUT), RedrivePlan.CANARY.withPerSecond(2.5), "ann")
                .from("desk 7");

        RedriveOperation preview =
                driver.redrives().preview(order, driver.time().now());

        assertThat(preview.state()).isEqualTo(new RedriveState.Previewed());
        assertThat(preview.counts()).isEqualTo(new RedriveCounts(1, 0, 0, 0, 0));
        assertThat(preview.causes().selected()).isEqualTo(Map.of(slow.fingerprint(), 1L));
        assertThat(preview.command().operator()).isEqualTo("ann");
        assertThat(preview.command().origin()).isEqualTo("desk 7");
        assertThat(preview.command().about()).isEqualTo("reason timeout");
        assertThat(preview.plan()).isEqualTo(order.plan());
        assertThat(preview.times().created()).isEqualTo(driver.time().now());
        assertThat(preview.times().started()).isEmpty();
        assertThat(driver.redrives().letters(order.id(), 0, 10))
                .containsExactly(new RedrivenLetter(slow.id(), "a", RedrivenLetter.Result.PENDING, ""));
        assertThat(driver.operation(order.id())).isEqualTo(preview);
        assertThat(driver.turn()).isInstanceOf(RedriveTurn.Idle.class);
        assertThat(driver.on().all()).hasSize(2);
        assertThat(driver.on().letters().actions(10)).isEmpty();
    }

    @Test
    default void a_frozen_selection_never_grows() {
        RedriveDriver driver = new RedriveDriver(open());
        StoreDriver on = driver.on();
        driver.letters(3);
        DeadLetter imported = on.all().get(0);
        on.letters()
                .purge(
                        LetterFilter.ofIds(List.of(imported.id())),
                        1,
                        "ann",
                        on.time().now());
        RedriveOrder order = RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE, "ann");
        assertThat(driver.redrives().preview(order, on.time().now()).counts().selected())
                .isEqualTo(2);

        on.letter(on.event("later"));
        on.letters().importLetters(List.of(imported), "ann", on.time().now());
        on.letters().edit(on.all().get(0).id(), new byte[] {1}, "ann", on.time().now());
        RedriveOperation again = driver.redrives().select(order, on.time().now());

        assertThat(again.counts().selected()).isEqualTo(2);
        driver.change(order.id(), RedriveChange.START);
        driver.turns();
        assertThat(driver.operation(order.id()).counts().redriven()).isEqualTo(2);
        assertThat(on.all()).hasSize(2);
    }

    @Test
    default void letters_that_die_while_the_selection_is_written_do_not_join() {
        RedriveDriver driver = new RedriveDriver(open());
        StoreDriver on = driver.on();
        int first = Redrives.SELECTED_AT_ONCE;
        driver.letters(first + 5);
        RedriveOrder order = RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE, "ann");

        RedriveOperation begun = driver.redrives().select(order, on.time().now());
        on.letter(on.event("later"));
        RedriveOperation complete = driver.redrives().preview(order, on.time().now());

        assertThat(begun.state()).isEqualTo(new RedriveState.Selecting());
        assertThat(begun.counts().selected()).isEqualTo(first);
        assertThat(complete.state()).isEqualTo(new RedriveState.Previewed());
        assertThat(complete.counts().selected()).isEqualTo(first + 5);
        assertThatThrownBy(() -> driver.change(
                        driver.redrives()
                                .select(
                                        RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE, "bob"),
                                        on.time().now())
                                .id(),
                        RedriveChange.START))
                .as("a selection that is not frozen")
                .hasMessageContaining("is selecting and cannot be started");
    }

    @Test
    default void a_limit_selects_the_oldest_letters() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(5);
        String id = driver.preview(ALL, RedrivePlan.ALL_AT_ONCE.withLimit(2)).id();
        assertThat(driver.redrives().letters(id, 0, 10))
                .extracting(RedrivenLetter::letter)
                .isEqualTo(driver.letterIds().subList(0, 2));
        assertThat(driver.redrives().letters(id, driver.letterIds().get(0), 10)).hasSize(1);
    }

    @Test
    default void a_limit_of_a_whole_piece_ends_the_selection() {
        RedriveDriver driver = new RedriveDriver(open());
        int piece = Redrives.SELECTED_AT_ONCE;
        driver.letters(piece + 1);
        assertThat(driver.preview(ALL, RedrivePlan.ALL_AT_ONCE.withLimit(piece))
                        .counts()
                        .selected())
                .isEqualTo(piece);
    }

    @Test
    default void a_letter_pending_in_an_active_operation_refuses_the_next_one_by_name() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String first = driver.start(RedrivePlan.ALL_AT_ONCE);
        LetterFilter second = LetterFilter.ofIds(driver.letterIds().subList(1, 2));

        assertThatThrownBy(() -> driver.preview(second, RedrivePlan.ALL_AT_ONCE))
                .isInstanceOfSatisfying(
                        RedriveRefusedException.class,
                        refusal -> assertThat(refusal.operation()).isEqualTo(first))
                .hasMessageContaining("is pending in operation " + first + " of ann, running");

        assertThat(driver.redrives().list(10))
                .as("the refused preview is gone")
                .extracting(RedriveOperation::id)
                .containsExactly(first);
        driver.change(first, RedriveChange.PAUSE);
        assertThatThrownBy(() -> driver.preview(second, RedrivePlan.ALL_AT_ONCE))
                .hasMessageContaining("paused");
        driver.change(first, RedriveChange.CANCEL);
        assertThat(driver.preview(second, RedrivePlan.ALL_AT_ONCE).counts().selected())
                .isEqualTo(1);
    }

    @Test
    default void a_letter_that_was_sent_and_died_again_is_free_for_the_next_operation() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(2);
        driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(0.5));
        driver.turn();
        driver.on().dead(driver.on().claimOne());
        long again = driver.letterIds().get(1);
        assertThat(driver.preview(LetterFilter.ofIds(List.of(again)), RedrivePlan.ALL_AT_ONCE)
                        .counts()
                        .selected())
                .isEqualTo(1);
    }

    @Test
    default void of_two_previews_of_one_letter_only_one_can_be_started() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(2);
        String slow = driver.preview(ALL, RedrivePlan.ALL_AT_ONCE).id();
        String quick = driver.start(RedrivePlan.CANARY);

        assertThatThrownBy(() -> driver.change(slow, RedriveChange.START))
                .isInstanceOf(RedriveRefusedException.class)
                .hasMessageContaining("since this preview, operation " + quick + " of ann, running was started");
        assertThat(driver.state(slow)).isEqualTo(new RedriveState.Previewed());
    }

    @Test
    default void previews_of_different_causes_can_both_be_started() {
        RedriveDriver driver = new RedriveDriver(open());
        StoreDriver on = driver.on();
        on.letter(on.event("a"), Reason.TIMEOUT, "TimeoutException", "took long");
        on.letter(on.event("b"));
        String timeouts = driver.preview(ALL.withReason(Reason.TIMEOUT), RedrivePlan.ALL_AT_ONCE)
                .id();
        String others = driver.preview(ALL.withReason(Reason.NOT_RETRYABLE), RedrivePlan.ALL_AT_ONCE)
                .id();
        driver.change(others, RedriveChange.START);
        driver.change(timeouts, RedriveChange.START);
        driver.turns();
        assertThat(on.all()).isEmpty();
    }

    @Test
    default void an_empty_filter_is_refused_unless_all_letters_are_asked_for() {
        assertThatThrownBy(() -> RedriveOrder.of(ALL, RedrivePlan.ALL_AT_ONCE, "ann"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("filter must restrict the letters");
    }

    @Test
    default void an_operation_without_letters_is_finished_when_it_starts() {
        RedriveDriver driver = new RedriveDriver(open());
        assertThat(driver.state(driver.start(RedrivePlan.CANARY))).isEqualTo(new RedriveState.Finished());
    }

    @Test
    default void a_preview_that_is_never_started_is_swept() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(1);
        String id = driver.preview(ALL, RedrivePlan.ALL_AT_ONCE).id();
        driver.on().pass(Redrives.PREVIEW_KEPT);
        assertThat(driver.redrives().sweep(driver.time().now())).isZero();
        driver.on().pass(Duration.ofSeconds(1));
        assertThat(driver.redrives().sweep(driver.time().now())).isPositive();
        assertThat(driver.redrives().find(id)).isEmpty();
        assertThat(driver.redrives().letters(id, 0, 10)).isEmpty();
        while (driver.redrives().sweep(driver.time().now()) > 0) {
            assertThat(driver.redrives().list(10)).isEmpty();
        }
    }

    @Test
    default void an_unknown_operation_is_refused_by_its_id() {
        RedriveDriver driver = new RedriveDriver(open());
        assertThat(driver.redrives().find("r-none")).isEmpty();
        assertThatThrownBy(() -> driver.redrives()
                        .change(
                                "r-none",
                                RedriveChange.PAUSE,
                                OperatorCommand.by("ann"),
                                driver.time().now()))
                .isInstanceOf(RedriveRefusedException.class)
                .hasMessageContaining("no redrive operation has the id 'r-none'");
    }
}
