package io.redrive.operations.difference;

import java.util.Comparator;
import java.util.Locale;

/**
 * A part of an event that is compared.
 *
 * @param kind the kind of the part
 * @param name the JSON pointer of a field ({@code *} for any element of an array), the name of a header, otherwise empty
 */
public record Subject(Kind kind, String name) implements Comparable<Subject> {

    private static final Comparator<Subject> ORDER =
            Comparator.comparing(Subject::kind).thenComparing(Subject::name);

    /** The kinds of parts, in the order in which equally strong differences are told. */
    public enum Kind {
        /** A field of a JSON payload. */
        FIELD("field"),
        /** A header. */
        HEADER("header"),
        /** The publisher. */
        SOURCE("source"),
        /** The ordering key. */
        ORDERING_KEY("ordering key"),
        /** The priority. */
        PRIORITY("priority"),
        /** The media type of the payload, as published. */
        CONTENT_TYPE("content type"),
        /** The payload as a whole: JSON, text, binary or empty. */
        PAYLOAD("payload"),
        /** The bytes of the payload. */
        SIZE("payload size"),
        /** The node that handled the event, or that made the last attempt of a letter. */
        NODE("node"),
        /** The version of the service on that node. */
        VERSION("version"),
        /** The hour of the day, UTC, at which the event was handled or died. */
        HOUR("hour"),
        /** When the event was handled or died. */
        TIME("time");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Returns the name in JSON: {@code content_type}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Subject of(Kind kind) {
        return new Subject(kind, "");
    }

    /** Returns true when a document may leave open whether it has this subject. */
    boolean isField() {
        return kind == Kind.FIELD;
    }

    /** Returns the subject in a sentence: {@code /currency}, {@code header tenant}, {@code source}. */
    public String words() {
        return switch (kind) {
            case FIELD -> name.isEmpty() ? "the whole payload" : name;
            case HEADER -> kind.words + " " + name;
            default -> kind.words;
        };
    }

    @Override
    public int compareTo(Subject other) {
        return ORDER.compare(this, other);
    }
}
