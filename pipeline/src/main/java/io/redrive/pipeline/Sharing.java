package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what concerns all nodes of a store the same on all of them: about once a second, and at once when there is news
 * here. All reading and writing of notes happens in this chore, at the end of a step: a store that fails then fails no
 * event.
 */
final class Sharing implements Chore {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final SharedNotes notes;
    private final List<Topic> topics;
    private Instant next = Instant.MIN;

    Sharing(SharedNotes notes, List<Topic> topics) {
        this.notes = notes;
        this.topics = topics;
    }

    /** Something that nodes share. */
    interface Topic {

        /** The topic of its notes. */
        String topic();

        /** True when other nodes should hear of something soon. */
        boolean hasNews();

        /**
         * Takes over what others wrote and writes what is new here. What could not be written, because somebody else was
         * faster or the store failed, is news still.
         *
         * @param found the notes of this topic by name
         */
        void sync(Map<String, Note> found, SharedNotes notes, Instant now);

        /** The pipeline has come to its end. */
        default void leave(SharedNotes notes) {}
    }

    @Override
    public void leave() {
        FirstError errors = new FirstError();
        topics.forEach(topic -> errors.guard(() -> {
            topic.leave(notes);
            return true;
        }));
        errors.throwFirst();
    }

    @Override
    public boolean work(Instant now) {
        if (!Chore.isDue(next, now, EVERY) && topics.stream().noneMatch(Topic::hasNews)) {
            return false;
        }
        Map<String, Map<String, Note>> byTopic = new HashMap<>();
        for (Note note : notes.read()) {
            byTopic.computeIfAbsent(note.topic(), topic -> new HashMap<>()).put(note.name(), note);
        }
        next = now.plus(EVERY);
        for (Topic topic : topics) {
            topic.sync(byTopic.getOrDefault(topic.topic(), Map.of()), notes, now);
        }
        return false;
    }
}
