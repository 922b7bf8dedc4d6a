package io.redrive.events.journal;

import java.util.Objects;

/**
 * Asks for events by one of their texts. Texts are compared exactly: an asterisk is no wildcard.
 *
 * @param by the text of an event that is compared
 * @param text the text to look for
 */
public record EventQuery(By by, String text) {

    /** The most characters of a text; no event has a longer one. */
    public static final int MAX_TEXT = 10_000;

    /** The texts by which events are found. */
    public enum By {
        /** The event's id. Several events may share an id when their correlation ids differ. */
        ID("id"),
        /** The correlation id: the events of one chain. */
        CORRELATION("correlation id"),
        /** The ordering key. */
        KEY("ordering key"),
        /** The event's name. */
        NAME("name");

        private final String words;

        By(String words) {
            this.words = words;
        }

        /** Returns the text's name, for messages. */
        public String words() {
            return words;
        }
    }

    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException when the text is blank or too long
     */
    public EventQuery {
        Objects.requireNonNull(by, "by");
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "the " + by.words() + " to look for must not be blank, got '" + text + "'");
        }
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException("the " + by.words() + " to look for must have at most " + MAX_TEXT
                    + " characters, got " + text.length());
        }
    }

    /** Asks for events with this id. */
    public static EventQuery id(String id) {
        return new EventQuery(By.ID, id);
    }

    /** Asks for events with this correlation id. */
    public static EventQuery correlationId(String correlationId) {
        return new EventQuery(By.CORRELATION, correlationId);
    }

    /** Asks for events with this ordering key. */
    public static EventQuery orderingKey(String key) {
        return new EventQuery(By.KEY, key);
    }

    /** Asks for events with this name. */
    public static EventQuery name(String name) {
        return new EventQuery(By.NAME, name);
    }

    /** Returns this query in words, such as {@code correlation id 'order-17'}. */
    @Override
    public String toString() {
        return by.words() + " '" + text + "'";
    }
}
