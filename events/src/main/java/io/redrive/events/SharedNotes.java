package io.redrive.events;

import java.util.List;

/**
 * Small facts that all nodes of a store share: paused names, the tokens of a retry budget. Changed by
 * compare-and-set, so that no node overwrites the change of another node unseen. Thread-safe.
 *
 * <p>Meant for a handful of notes, read about once a second by each node; not for data.
 */
public interface SharedNotes {

    /**
     * One fact.
     *
     * @param topic the subject of the note, for example {@code pause}
     * @param name the owner of the value, for example an event name
     * @param value the fact
     * @param version counts the changes of the note; 0 for a note that was never written
     */
    record Note(String topic, String name, String value, long version) {

        /** The longest value. */
        public static final int MAX_VALUE = 10_000;

        /** Refuses texts that no store can keep. */
        public Note {
            Texts.require("topic", topic);
            Texts.require("name", name);
            if (value.length() > MAX_VALUE) {
                throw new IllegalArgumentException("value of note " + topic + " '" + name + "' must be at most "
                        + MAX_VALUE + " characters, got " + value.length());
            }
        }

        /** Returns a note that is not written yet. */
        public static Note first(String topic, String name, String value) {
            return new Note(topic, name, value, 0);
        }

        /** This note with another value, to be written over this very version. */
        public Note with(String newValue) {
            return new Note(topic, name, newValue, version);
        }
    }

    /** Returns all notes, sorted by topic and name. */
    List<Note> read();

    /**
     * Replaces the version of the note that the argument carries; with version 0, writes only a note that does not
     * exist.
     *
     * @return false, without a change, when another node was faster
     */
    boolean write(Note note);

    /**
     * Removes the note if it still has the version that the argument carries.
     *
     * @return false, without a change, when the note has another version or is gone
     */
    boolean erase(Note note);
}
