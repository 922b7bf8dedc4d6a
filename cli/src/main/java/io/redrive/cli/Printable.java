package io.redrive.cli;

import java.time.Duration;
import java.time.Instant;

/** Text from events and errors, made fit to be printed: an error message must not move the cursor or hide a line. */
final class Printable {

    private static final String CUT = "…";

    private Printable() {}

    /** On one line. */
    static String line(String text) {
        return escaped(text.replaceAll("\\s+", " ").strip());
    }

    /** On its own lines. */
    static String block(String text) {
        return escaped(text);
    }

    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n' || !isUnsafe(c)) {
                safe.appendCodePoint(c);
            } else if (c == '\t') {
                safe.append("    ");
            } else if (c != '\r') {
                safe.append(String.format("\\u%04x", c));
            }
        });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
    }

    /** At most {@code width} characters. */
    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + CUT;
    }

    /** How long ago, roughly: {@code 3m ago}; {@code in 3m} for what is to come. */
    static String age(Instant then, Instant now) {
        Duration past = Duration.between(then, now);
        return past.isNegative() ? "in " + roughly(past.negated()) : roughly(past) + " ago";
    }

    /** The largest unit that fits twice: {@code 90s}, {@code 12m}, {@code 47h}, {@code 9d}. */
    static String roughly(Duration duration) {
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + "s";
        }
        if (duration.toMinutes() < 120) {
            return duration.toMinutes() + "m";
        }
        return duration.toHours() < 48 ? duration.toHours() + "h" : duration.toDays() + "d";
    }
}
