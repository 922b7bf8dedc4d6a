package io.redrive.events;

/** Rules for the short texts of an event, and how a bad one is shown in a message. */
final class Texts {

    static final int MAX_LENGTH = 200;
    private static final int SHOWN = 60;

    private Texts() {}

    static String require(String field, String value) {
        if (value == null || value.isBlank() || value.length() > MAX_LENGTH || hasControlCharacters(value)) {
            throw new IllegalArgumentException(field + " must be 1 to " + MAX_LENGTH
                    + " characters, not blank, without control characters; got " + shown(value));
        }
        return value;
    }

    static String requireIfPresent(String field, String value) {
        return value == null ? null : require(field, value);
    }

    /** Quoted and cut, so that a message about a huge value stays readable. */
    static String shown(String value) {
        if (value == null) {
            return "null";
        }
        return value.length() <= SHOWN
                ? "'" + value + "'"
                : "'" + value.substring(0, SHOWN) + "…' (" + value.length() + " characters)";
    }

    /** At most {@code limit} characters. */
    static String cut(String value, int limit) {
        return value == null || value.length() <= limit ? value : value.substring(0, limit - 1) + "…";
    }

    private static boolean hasControlCharacters(String value) {
        return value.chars().anyMatch(Character::isISOControl);
    }
}
