package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Notes the sizes that this node chose, so that any process on the store can show the sizes and their reasons. Written as often as
 * the node announces itself, when a size or its reason has changed.
 */
final class SizeNotes extends BeatNotes {

    static final String TOPIC = "sizes";

    private final String node;
    private final Supplier<List<ChosenSize>> chosen;

    SizeNotes(String node, Supplier<List<ChosenSize>> chosen) {
        super(TOPIC);
        this.node = node;
        this.chosen = chosen;
    }

    @Override
    void beat(Map<String, Note> found, SharedNotes notes, Instant now) {
        String text = ChosenSize.text(chosen.get());
        Note last = found.getOrDefault(node, Note.first(TOPIC, node, ""));
        if (!last.value().equals(text)) {
            notes.write(last.with(text));
        }
        eraseOfGone(found, notes);
    }

    /** Removes the notes of nodes that are no longer listed as members. */
    private void eraseOfGone(Map<String, Note> found, SharedNotes notes) {
        if (found.keySet().stream().allMatch(node::equals)) {
            return;
        }
        List<String> members = Member.of(notes).stream().map(Member::node).toList();
        found.values().stream()
                .filter(note -> !note.name().equals(node) && !members.contains(note.name()))
                .forEach(notes::erase);
    }

    @Override
    public void leave(SharedNotes notes) {
        notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC) && note.name().equals(node))
                .forEach(notes::erase);
    }
}
