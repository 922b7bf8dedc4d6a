package io.redrive.events;

import java.util.List;

/**
 * Small facts that every node of a store sees: which names are paused, what is left of a retry budget. Changed by
 * compare-and-set, so that two nodes never overwrite each other unseen. Thread-safe.
 *
 * <p>Meant for a handful of notes, read about once a second by each node; not for data.
 */
public interface SharedNotes {

    /**
     * One fact.
     *
     * @param topic what it is about, such as {@code pause}
     * @param name of what it is the value, such as an event name
     * @param value the fact
     * @param version counts its changes; 0 for a note that was never written
     */
    record Note(String topic, String name, String value, long version) {

        /** The longest value. */
        public static final int MAX_VALUE = 10_000;

        /** Refuses what no store takes. */
        public Note {
            Texts.require("topic", topic);
            Texts.require("name", name);
            if (value.length() > MAX_VALUE) {
                throw new IllegalArgumentException("value of note " + topic + " '" + name + "' must be at most "
                        + MAX_VALUE + " characters, got " + value.length());
            }
        }

        /** A note that is not there yet. */
        public static Note first(String topic, String name, String value) {
            return new Note(topic, name, value, 0);
        }

        /** This note with another value, to be written over this very version. */
        public Note with(String newValue) {
            return new Note(topic, name, newValue, version);
        }
    }

    /** All notes, by topic and name. */
    List<Note> read();

    /**
     * Writes a note over the version it carries; with version 0, only if there is none.
     *
     * @return false, and nothing changed, when somebody else was faster
     */
    boolean write(Note note);

    /**
     * Removes a note if it still has the version it carries.
     *
     * @return false, and nothing changed, when it has another or is gone
     */
    boolean erase(Note note);
}
