package io.redrive.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;

/**
 * The one filter for text that is printed: an error message must not move the cursor, change colours, reorder what a
 * reader sees, or hide a line. Shown as {@code \\u001b} are all control characters (C0, DEL, C1), characters of format (of
 * direction, of zero width, tags), separators of lines, halves of surrogate pairs, and code points for private use.
 */
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

    /**
     * A line, or several, on the way to the terminal: whatever a command prints passes here. Only the styles of
     * {@link Paint} get through. JSON keeps its meaning: what is escaped can only be inside a string of it.
     */
    static String screen(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        int from = 0;
        Matcher style = Paint.STYLES.matcher(text);
        while (style.find()) {
            safe.append(escaped(text.substring(from, style.start()))).append(style.group());
            from = style.end();
        }
        return safe.append(escaped(text.substring(from))).toString();
    }

    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n' || !isUnsafe(c)) {
                safe.appendCodePoint(c);
            } else if (c == '\t') {
                safe.append("    ");
            } else if (c != '\r') {
                for (char unit : Character.toChars(c)) {
                    safe.append(String.format("\\u%04x", (int) unit));
                }
            }
        });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE -> true;
            default -> false;
        };
    }

    /** How many columns of a terminal the text takes: two for a wide character, none for an accent on another. */
    static int width(String text) {
        return text.codePoints().map(Printable::width).sum();
    }

    private static int width(int c) {
        if (c < 0x300) {
            return 1;
        }
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = c >= 0x1100 && c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0x1F300 && c <= 0x1FAFF
                || c >= 0x20000 && c <= 0x3FFFD;
        return wide ? 2 : 1;
    }

    /** At most {@code columns} columns wide. */
    static String cut(String text, int columns) {
        if (text.length() <= columns / 2 || width(text) <= columns) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int[] points = text.codePoints().toArray();
        int used = CUT.length();
        for (int i = 0; i < points.length && used + width(points[i]) <= columns; i++) {
            kept.appendCodePoint(points[i]);
            used += width(points[i]);
        }
        return columns < CUT.length() ? "" : kept + CUT;
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
