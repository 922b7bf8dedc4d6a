package io.redrive.operations.difference;

import java.util.Locale;

/**
 * A statement about a subject.
 *
 * @param kind the kind of statement
 * @param value the value, type or number of the statement, as text; empty for presence
 */
public record Trait(Kind kind, String value) {

    /** The kinds of statements, in the order in which equally strong statements about one subject are preferred. */
    public enum Kind {
        /** The subject equals the value. Texts are in quotes, as in JSON. */
        EQUALS("= %s"),
        /** The subject is there. */
        PRESENT(""),
        /** The subject is not there. */
        ABSENT(""),
        /** The value is of this JSON type. */
        TYPE("that is %s"),
        /** The number is above the value. */
        ABOVE("above %s"),
        /** The number is the value or less. */
        AT_MOST("of at most %s"),
        /** The text has more characters. */
        LONGER("longer than %s characters"),
        /** The text has as many characters or fewer. */
        NOT_LONGER("of at most %s characters"),
        /** The array has more elements. */
        MORE("with more than %s elements"),
        /** The array has as many elements or fewer. */
        NOT_MORE("with at most %s elements");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Returns the name in JSON: {@code at_most}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Trait of(Kind kind) {
        return new Trait(kind, "");
    }

    /** Returns the trait that holds exactly where this one does not; this trait when there are no words for that. */
    Trait opposite() {
        return switch (kind) {
            case PRESENT -> of(Kind.ABSENT);
            case ABSENT -> of(Kind.PRESENT);
            case ABOVE -> new Trait(Kind.AT_MOST, value);
            case AT_MOST -> new Trait(Kind.ABOVE, value);
            case LONGER -> new Trait(Kind.NOT_LONGER, value);
            case NOT_LONGER -> new Trait(Kind.LONGER, value);
            case MORE -> new Trait(Kind.NOT_MORE, value);
            case NOT_MORE -> new Trait(Kind.MORE, value);
            case EQUALS, TYPE -> this;
        };
    }

    boolean hasOpposite() {
        return kind != Kind.EQUALS && kind != Kind.TYPE;
    }

    /** Returns the statement behind a subject: {@code = "XBT"}; empty for presence. */
    String words() {
        return kind.words.formatted(value);
    }
}
