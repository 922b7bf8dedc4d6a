package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the topics that all nodes of a store share the same on all nodes: about once a second, and at once when this
 * node has news. All reading and writing of notes happens in this chore, at the end of a step: a store that fails then
 * fails no event.
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

    /** A subject that nodes share by notes: pauses, budgets, policies, members. */
    interface Topic {

        /** Returns the topic of the notes. */
        String topic();

        /** Returns true when this node has a change that other nodes should see soon. */
        boolean hasNews();

        /**
         * Adopts the notes of other nodes and writes this node's changes. A change that could not be written, because
         * another node wrote first or the store failed, stays news.
         *
         * @param found the notes of this topic by name
         */
        void sync(Map<String, Note> found, SharedNotes notes, Instant now);

        /** Called once, after the last settlement of the pipeline. */
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
