package io.redrive.items.store;

import org.jspecify.annotations.Nullable;

/** Rules for names, ids and messages of a run. */
final class Texts {

    static final int MAX_NAME = 100;
    static final int MAX_ID = 200;
    private static final int SHOWN = 60;

    private Texts() {}

    /** Checks the name of a pipeline or a stage, or the id of a run: all appear in commands, file names and metrics. */
    static String requireName(String what, @Nullable String value) {
        if (value == null || value.length() > MAX_NAME || !value.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException(what + " must be 1 to " + MAX_NAME
                    + " letters, digits, dots, dashes or underscores, and start with a letter or digit; got "
                    + shown(value));
        }
        return value;
    }

    static String requireId(@Nullable String value) {
        if (value == null || value.isEmpty() || value.length() > MAX_ID) {
            throw new IllegalArgumentException(
                    "sample id must have 1 to " + MAX_ID + " characters, got " + shown(value));
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i)) || isLoneSurrogate(value, i)) {
                throw new IllegalArgumentException(
                        "sample id must be well-formed text without control characters, got one with U+"
                                + Integer.toHexString(value.charAt(i)) + " at " + i);
            }
        }
        return value;
    }

    /** Returns the value in quotes, cut after 60 characters, for messages. */
    static String shown(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        return value.length() <= SHOWN
                ? "'" + value + "'"
                : "'" + value.substring(0, SHOWN) + "…' (" + value.length() + " characters)";
    }

    /** Returns at most {@code limit} characters that every store can keep: without NUL and lone surrogates. */
    static String kept(@Nullable String value, int limit) {
        if (value == null) {
            return "";
        }
        String cut = value.length() <= limit ? value : value.substring(0, limit - 1) + "…";
        StringBuilder mended = null;
        for (int i = 0; i < cut.length(); i++) {
            if (cut.charAt(i) == 0 || isLoneSurrogate(cut, i)) {
                mended = mended == null ? new StringBuilder(cut) : mended;
                mended.setCharAt(i, '\uFFFD');
            }
        }
        return mended == null ? cut : mended.toString();
    }

    private static boolean isLoneSurrogate(String value, int i) {
        char c = value.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
    }
}
