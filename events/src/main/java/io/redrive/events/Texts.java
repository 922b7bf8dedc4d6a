package io.redrive.events;

import org.jspecify.annotations.Nullable;

/** Rules for the short texts of an event, and the display of bad texts in messages. */
final class Texts {

    static final int MAX_LENGTH = 200;
    private static final int SHOWN = 60;

    private Texts() {}

    static String require(String field, @Nullable String value) {
        if (value == null || value.length() > MAX_LENGTH || !isPlain(value) && !isReadable(value)) {
            throw new IllegalArgumentException(field + " must be 1 to " + MAX_LENGTH
                    + " characters of well-formed text, not blank, without control characters; got " + shown(value));
        }
        return value;
    }

    private static boolean isReadable(String value) {
        return !value.isBlank() && !hasControlCharacters(value) && isWellFormed(value);
    }

    /** Returns true for visible ASCII characters alone: nearly all texts, for which one look at each character is enough. */
    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    static @Nullable String requireIfPresent(String field, @Nullable String value) {
        return value == null ? null : require(field, value);
    }

    /** Returns the text quoted and cut, so that a message about a huge value stays readable. */
    static String shown(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        return value.length() <= SHOWN
                ? "'" + value + "'"
                : "'" + value.substring(0, SHOWN) + "…' (" + value.length() + " characters)";
    }

    /** Returns at most {@code limit} characters; a pair of surrogates is not cut in two. */
    static String cut(String value, int limit) {
        if (value.length() <= limit) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(limit - 2)) ? limit - 2 : limit - 1;
        return value.substring(0, end) + "…";
    }

    /**
     * Returns true when a database or a file keeps the text unchanged: no NUL, which PostgreSQL refuses, and no half
     * of a surrogate pair.
     */
    static boolean isWellFormed(String value) {
        // A loop over characters: each text of each published and claimed event is asked.
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each != 0 && each < Character.MIN_SURROGATE) {
                continue;
            }
            boolean pair = Character.isHighSurrogate(each)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
            if (each == 0 || Character.isSurrogate(each) && !pair) {
                return false;
            }
            i += pair ? 1 : 0;
        }
        return true;
    }

    /** Returns the text with malformed characters replaced, for texts that cannot be refused. */
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
        // A loop, because a stream would cost more than the rest of building an event.
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
