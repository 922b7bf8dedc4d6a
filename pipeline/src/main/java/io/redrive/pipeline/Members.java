package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Tells the other nodes, and whoever looks, that this one is there. */
final class Members implements Sharing.Topic {

    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    private final Member own;
    private Instant nextBeat = Instant.MIN;

    Members(String node, String service, Instant started) {
        own = new Member(node, service, started, started);
    }

    @Override
    public String topic() {
        return Member.TOPIC;
    }

    @Override
    public boolean hasNews() {
        return nextBeat == Instant.MIN;
    }

    @Override
    public void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        if (!Chore.isDue(nextBeat, now, Member.BEAT)) {
            return;
        }
        nextBeat = now.plus(Member.BEAT);
        Note last = found.getOrDefault(own.node(), Note.first(Member.TOPIC, own.node(), ""));
        // Should another node of the same name be faster, the name is seen all the same.
        notes.write(last.with(own.seenAt(now).text()));
        found.values().stream()
                .filter(note -> Member.of(note).seen().plus(FORGOTTEN_AFTER).isBefore(now))
                .filter(note -> !note.name().equals(own.node()))
                .forEach(notes::erase);
    }

    @Override
    public void leave(SharedNotes notes) {
        notes.read().stream()
                .filter(note -> note.topic().equals(Member.TOPIC) && note.name().equals(own.node()))
                .forEach(notes::erase);
    }
}
