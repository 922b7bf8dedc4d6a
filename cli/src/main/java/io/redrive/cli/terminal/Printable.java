package io.redrive.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one filter for text that is printed. An error message or a payload must not move the cursor, change colours, change the
 * reading direction or hide a line. Escapes such as {@code \\u001b} replace control characters (C0, DEL, C1), format characters
 * (direction, zero width, tags), line separators, unpaired surrogates and code points for private use.
 */
public final class Printable {

    private static final String CUT = "…";

    private Printable() {}

    /** Returns the text on one line: each run of white space becomes a space. */
    public static String line(String text) {
        return escaped(text.replaceAll("\\s+", " ").strip());
    }

    /** Returns the text with its line breaks. */
    public static String block(String text) {
        return escaped(text);
    }

    /**
     * Returns the text with its line breaks and with the styles of {@link Paint}; every line that a command prints passes this
     * method. JSON keeps its meaning, because characters that are escaped occur only inside JSON strings.
     */
    public static String screen(String text) {
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

    /** Returns how many terminal columns the text takes: two for a wide character, none for a combining accent. */
    public static int width(String text) {
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

    /** Returns the text, shortened with an ellipsis when it is wider than {@code columns} terminal columns. */
    public static String cut(String text, int columns) {
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

    /** Returns the rough distance between two times: {@code 3m ago}, or {@code in 3m} for a time in the future. */
    public static String age(Instant then, Instant now) {
        Duration past = Duration.between(then, now);
        return past.isNegative() ? "in " + roughly(past.negated()) : roughly(past) + " ago";
    }

    /** Returns the duration in the largest unit that fits twice: {@code 90s}, {@code 12m}, {@code 47h}, {@code 9d}. */
    public static String roughly(Duration duration) {
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + "s";
        }
        if (duration.toMinutes() < 120) {
            return duration.toMinutes() + "m";
        }
        return duration.toHours() < 48 ? duration.toHours() + "h" : duration.toDays() + "d";
    }

    /** Returns an error as {@code type: message}; a message that repeats its type, once or more, says the type once. */
    public static String error(String type, String message) {
        String detail = message.replaceFirst("^((\\w+[.$])*" + Pattern.quote(type) + "(: |$))+", "");
        return detail.isBlank() ? type : type + ": " + detail;
    }

    /** Returns a word of a command line, in quotes where a shell would read its characters as its own. */
    public static String shellWord(String word) {
        String safe = line(word);
        return safe.matches("[\\w@%+=:,./-]+") ? safe : "'" + safe.replace("'", "'\\''") + "'";
    }
}
