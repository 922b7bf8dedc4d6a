package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PublishResult;
import io.redrive.testkit.FaultyStore.Moment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deleting letters that were exported. */
interface LetterRetirementContract extends StoreUnderTest {

    OperatorCommand RETIRE = new OperatorCommand("retire-1", "ann", "", "to letters-1.jsonl.gz");

    @Test
    default void retired_letters_are_gone_with_history_versions_and_keys_and_have_one_row() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a"));
        DeadLetter stays = on.letter(on.event("b"));
        assertThat(retire(on, a)).isEqualTo(1);
        assertThat(on.all()).extracting(DeadLetter::id).containsExactly(stays.id());
        assertThat(on.letters().find(a.id())).isEmpty();
        assertThat(on.publish(List.of(a.event()))).containsExactly(PublishResult.ACCEPTED);
        assertThat(on.letters().actions(10)).singleElement().satisfies(row -> {
            assertThat(row.action()).isEqualTo("retire");
            assertThat(row.letters()).isEqualTo(1);
            assertThat(row.detail()).contains("letters-1.jsonl.gz");
        });
    }

    @Test
    default void a_letter_that_was_edited_since_its_export_stays() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a").text("one"));
        DeadLetter b = on.letter(on.event("b").text("one"));
        on.letters()
                .edit(
                        a.id(),
                        "two".getBytes(StandardCharsets.UTF_8),
                        "bob",
                        on.time().now());
        assertThat(retire(on, a, b)).isEqualTo(1);
        assertThat(on.all()).extracting(letter -> letter.event().text()).containsExactly("two");
    }

    @Test
    default void a_letter_that_was_redriven_since_its_export_is_skipped_and_its_event_lives() {
        StoreDriver on = open();
        DeadLetter a = on.letter(on.event("a"));
        on.redrive(LetterFilter.ALL);
        assertThat(retire(on, a)).isZero();
        on.dead(on.claimOne());
        assertThat(retire(on, a)).as("its second letter has another id").isZero();
        assertThat(on.all()).hasSize(1);
        assertThat(retire(on)).isZero();
    }

    @Test
    default void retiring_whose_answer_is_lost_is_whole_and_can_be_repeated() {
        for (Moment moment : Moment.values()) {
            StoreDriver on = open();
            DeadLetter a = on.letter(on.event("a"));
            DeadLetter b = on.letter(on.event("b"));
            StoreDriver faulty = on.on(FaultyStore.failing(on.store(), 1, moment));
            assertThatThrownBy(() -> retire(faulty, a, b)).isInstanceOf(FaultyStore.Fault.class);
            StoreDriver after = on.on(reopened(on));
            assertThat(after.all().size()).isIn(0, 2);
            retire(after, a, b);
            assertThat(after.all()).isEmpty();
        }
    }

    private static int retire(StoreDriver on, DeadLetter... letters) {
        return on.letters().retire(List.of(letters), RETIRE, on.time().now());
    }
}
