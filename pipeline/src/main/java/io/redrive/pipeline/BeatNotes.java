package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Instant;
import java.util.Map;

/** Notes of a node that are written as often as the node announces itself, and at no other time. */
abstract class BeatNotes implements Sharing.Topic {

    private final String topic;
    private Instant nextBeat = Instant.MIN;

    BeatNotes(String topic) {
        this.topic = topic;
    }

    /** Writes the notes of this node, and erases the notes of nodes that are gone. */
    abstract void beat(Map<String, Note> found, SharedNotes notes, Instant now);

    @Override
    public final String topic() {
        return topic;
    }

    @Override
    public final boolean hasNews() {
        return false;
    }

    @Override
    public final void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        if (Chore.isDue(nextBeat, now, Member.BEAT)) {
            nextBeat = now.plus(Member.BEAT);
            beat(found, notes, now);
        }
    }
}
