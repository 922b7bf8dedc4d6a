package io.redrive.items.store;

/** Rules for the short texts of a run, and how a bad or long one is shown. */
final class Texts {

    static final int MAX_NAME = 100;
    static final int MAX_ID = 200;
    private static final int SHOWN = 60;

    private Texts() {}

    /** Names of pipelines and stages, and ids of runs: they appear in commands, file names, metrics. */
    static String requireName(String what, String value) {
        if (value == null || value.length() > MAX_NAME || !value.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException(what + " must be 1 to " + MAX_NAME
                    + " letters, digits, dots, dashes or underscores, and start with a letter or digit; got "
                    + shown(value));
        }
        return value;
    }

    static String requireId(String value) {
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

    /** Quoted and cut, so that a message about a huge value stays readable. */
    static String shown(String value) {
        if (value == null) {
            return "null";
        }
        return value.length() <= SHOWN
                ? "'" + value + "'"
                : "'" + value.substring(0, SHOWN) + "…' (" + value.length() + " characters)";
    }

    /** At most {@code limit} characters that every store can keep: no NUL, no half of a surrogate pair. */
    static String kept(String value, int limit) {
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
