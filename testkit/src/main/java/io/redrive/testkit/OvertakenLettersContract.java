package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Letters whose ordering key has a newer finished event are overtaken: redriving them would bring old data back. */
interface OvertakenLettersContract extends StoreUnderTest {

    LetterFilter OVERTAKEN = LetterFilter.ALL.withOvertaken(true);
    LetterFilter NOT_OVERTAKEN = LetterFilter.ALL.withOvertaken(false);

    @Test
    default void a_letter_is_overtaken_when_a_newer_event_of_its_key_has_finished() {
        StoreDriver on = open();
        on.letter(on.event("old").orderingKey("k"));
        on.letter(on.event("alone").orderingKey("other"));
        on.letter(on.event("without-key"));
        assertThat(on.letters().count(OVERTAKEN)).isZero();
        on.publish(on.event("new").orderingKey("k"));
        Claim claim = on.claimOne();
        assertThat(on.letters().count(OVERTAKEN)).as("not finished yet").isZero();
        on.done(claim);
        assertThat(StoreDriver.idsOf(on.letters().list(OVERTAKEN, 0, 10))).containsExactly("old");
        assertThat(StoreDriver.idsOf(on.letters().list(NOT_OVERTAKEN, 0, 10))).containsExactly("alone", "without-key");
        assertThat(on.letters().groups(OVERTAKEN, 10).get(0).count()).isEqualTo(1);
        assertThat(on.letters().count(LetterFilter.ALL)).isEqualTo(3);
    }

    @Test
    default void an_older_finished_event_overtakes_no_letter() {
        StoreDriver on = open();
        on.publish(on.event("old").orderingKey("k"));
        on.done(on.claimOne());
        on.pass(Duration.ofSeconds(1));
        on.letter(on.event("new").orderingKey("k"));
        assertThat(on.letters().count(OVERTAKEN)).isZero();
    }

    @Test
    default void the_newest_event_counts_whatever_the_order_of_finishing() {
        StoreDriver on = open();
        on.letter(on.event("first").orderingKey("k"));
        on.pass(Duration.ofSeconds(1));
        on.letter(on.event("second").orderingKey("k"));
        on.pass(Duration.ofSeconds(1));
        on.publish(on.event("third").orderingKey("k"));
        on.done(on.claimOne());
        on.redrive(LetterFilter.ALL.withEventId("second"));
        on.done(on.claimOne());
        assertThat(StoreDriver.idsOf(on.letters().list(OVERTAKEN, 0, 10))).containsExactly("first");
    }

    @Test
    default void a_redriven_event_does_not_overtake_its_own_next_death() {
        StoreDriver on = open();
        on.letter(on.event("a").orderingKey("k"));
        on.redrive(LetterFilter.ALL);
        on.dead(on.claimOne());
        assertThat(on.letters().count(OVERTAKEN)).isZero();
    }

    @Test
    default void a_redrive_and_an_operation_can_leave_overtaken_letters_out() {
        StoreDriver on = open();
        on.letter(on.event("old").orderingKey("k"));
        on.letter(on.event("alone").orderingKey("other"));
        on.publish(on.event("new").orderingKey("k"));
        on.done(on.claimOne());
        OperatorCommand command = new OperatorCommand("op-1", "ann", "", "");
        RedriveOperation preview = on.store()
                .redrives()
                .preview(
                        new RedriveOrder(NOT_OVERTAKEN, RedrivePlan.ALL_AT_ONCE, command),
                        on.time().now());
        assertThat(preview.counts().selected()).isEqualTo(1);
        assertThat(on.redrive(NOT_OVERTAKEN)).isEqualTo(1);
        assertThat(StoreDriver.idsOf(on.all())).isEqualTo(List.of("old"));
    }

    @Test
    default void an_imported_letter_is_compared_by_the_time_of_its_creation() {
        StoreDriver on = open();
        on.letter(on.event("exported").orderingKey("k"));
        var exported = on.letters().listWithHistory(LetterFilter.ALL, 0, 10);
        on.letters()
                .purge(
                        LetterFilter.ALL,
                        10,
                        new OperatorCommand("purge-1", "ann", "", ""),
                        on.time().now());
        on.pass(Duration.ofSeconds(1));
        on.publish(on.event("new").orderingKey("k"));
        on.done(on.claimOne());
        on.letters()
                .importLetters(
                        exported,
                        new OperatorCommand("import-1", "ann", "", ""),
                        on.time().now());
        assertThat(StoreDriver.idsOf(on.letters().list(OVERTAKEN, 0, 10))).containsExactly("exported");
    }

    @Test
    default void a_letter_is_no_longer_overtaken_when_the_journal_forgot_the_newer_event() {
        StoreDriver on = open();
        on.letter(on.event("old").orderingKey("k"));
        on.publish(on.event("new").orderingKey("k"));
        on.done(on.claimOne());
        on.pass(JournalContract.RETENTION.plusSeconds(1));
        while (on.store().expire(on.time().now()) > 0) {
            assertThat(on.all()).hasSize(1);
        }
        assertThat(on.letters().count(OVERTAKEN)).isZero();
    }
}
