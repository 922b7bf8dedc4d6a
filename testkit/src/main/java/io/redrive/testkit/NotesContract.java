package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notes shared by nodes: compare and set, and no lost update. */
interface NotesContract extends StoreUnderTest {

    @Test
    default void a_note_is_read_as_it_was_written_by_every_node() {
        StoreDriver on = open();
        assertThat(on.store().notes().read()).isEmpty();
        assertThat(on.store().notes().write(Note.first("pause", "order.paid", "until\nnoon ü")))
                .isTrue();
        Note read = only(joined(on).notes());
        assertThat(read.topic()).isEqualTo("pause");
        assertThat(read.name()).isEqualTo("order.paid");
        assertThat(read.value()).isEqualTo("until\nnoon ü");
        assertThat(read.version()).isPositive();
    }

    @Test
    default void a_note_written_over_another_version_changes_nothing() {
        SharedNotes notes = open().store().notes();
        notes.write(Note.first("pause", "a", "1"));
        Note first = only(notes);
        assertThat(notes.write(Note.first("pause", "a", "2")))
                .as("there is one")
                .isFalse();
        assertThat(notes.write(first.with("2"))).isTrue();
        assertThat(notes.write(first.with("3"))).as("stale").isFalse();
        assertThat(notes.erase(first)).as("stale").isFalse();
        assertThat(only(notes).value()).isEqualTo("2");
    }

    @Test
    default void an_erased_note_is_gone_and_its_versions_are_not_used_again() {
        SharedNotes notes = open().store().notes();
        notes.write(Note.first("pause", "a", "1"));
        Note first = only(notes);
        assertThat(notes.erase(first)).isTrue();
        assertThat(notes.read()).isEmpty();
        assertThat(notes.erase(first)).isFalse();
        assertThat(notes.write(first.with("2"))).isFalse();
        notes.write(Note.first("pause", "a", "3"));
        assertThat(notes.write(first.with("4"))).isFalse();
        assertThat(only(notes).value()).isEqualTo("3");
    }

    @Test
    default void notes_come_by_topic_and_name() {
        SharedNotes notes = open().store().notes();
        notes.write(Note.first("b", "1", ""));
        notes.write(Note.first("a", "2", ""));
        notes.write(Note.first("a", "1", ""));
        assertThat(notes.read()).extracting(note -> note.topic() + note.name()).containsExactly("a1", "a2", "b1");
    }

    @Test
    default void of_many_who_write_over_one_version_one_succeeds() {
        StoreDriver on = open();
        on.store().notes().write(Note.first("count", "a", "0"));
        int each = 25;
        Together.run(4, thread -> {
            SharedNotes mine = joined(on).notes();
            for (int i = 0; i < each; i++) {
                Note note = only(mine);
                while (!mine.write(note.with(String.valueOf(Integer.parseInt(note.value()) + 1)))) {
                    note = only(mine);
                }
            }
            return null;
        });
        assertThat(only(on.store().notes()).value()).isEqualTo(String.valueOf(4 * each));
    }

    @Test
    default void notes_survive_a_crash() {
        StoreDriver on = open();
        on.store().notes().write(Note.first("pause", "a", "1"));
        assertThat(only(reopened(on).notes()).value()).isEqualTo("1");
    }

    private static Note only(SharedNotes notes) {
        List<Note> all = notes.read();
        assertThat(all).hasSize(1);
        return all.get(0);
    }
}
