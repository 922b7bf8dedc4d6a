package io.redrive.events;

/** Rules for the short texts of an event, and how a bad one is shown in a message. */
final class Texts {

    static final int MAX_LENGTH = 200;
    private static final int SHOWN = 60;

    private Texts() {}

    static String require(String field, String value) {
        if (value == null
                || value.isBlank()
                || value.length() > MAX_LENGTH
                || hasControlCharacters(value)
                || !isWellFormed(value)) {
            throw new IllegalArgumentException(field + " must be 1 to " + MAX_LENGTH
                    + " characters of well-formed text, not blank, without control characters; got " + shown(value));
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

    /** At most {@code limit} characters; a pair of surrogates is not cut in two. */
    static String cut(String value, int limit) {
        if (value == null || value.length() <= limit) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(limit - 2)) ? limit - 2 : limit - 1;
        return value.substring(0, end) + "…";
    }

    /** What a database or a file keeps as it is: no NUL, which PostgreSQL refuses, and no half of a surrogate pair. */
    static boolean isWellFormed(String value) {
        return value.codePoints().noneMatch(Texts::isBroken);
    }

    /** The text with what is not well-formed replaced, for texts we must take as they come. */
    static String wellFormed(String value) {
        if (isWellFormed(value)) {
            return value;
        }
        StringBuilder mended = new StringBuilder(value.length());
        value.codePoints().forEach(c -> mended.appendCodePoint(isBroken(c) ? 0xFFFD : c));
        return mended.toString();
    }

    private static boolean isBroken(int codePoint) {
        return codePoint == 0 || Character.getType(codePoint) == Character.SURROGATE;
    }

    private static boolean hasControlCharacters(String value) {
        // A loop: events are built by the hundred thousand a second, and a stream costs more than all the rest here.
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
