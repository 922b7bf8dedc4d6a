package io.redrive.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes numbers and times for people: with units, of few digits. */
final class Format {

    private static final DateTimeFormatter EXACT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final Pattern INSTANT =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z");
    private static final double TEN = 9.95;

    private Format() {}

    /** Returns a count with separated thousands: {@code 12,345}. */
    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a count with its noun: {@code 1 letter}, {@code 12 letters}. */
    static String counted(long count, String noun) {
        return number(count) + " " + (count == 1 ? noun : noun + "s");
    }

    /** Returns a share as percent: {@code 0 %}, {@code 3.4 %}, {@code 5 %}. */
    static String percent(double share) {
        double percent = share * 100;
        if (percent == 0 || percent >= TEN) {
            return String.format(Locale.ROOT, "%.0f %%", percent);
        }
        return percent < 0.1
                ? "< 0.1 %"
                : String.format(Locale.ROOT, "%.1f %%", percent).replace(".0 %", " %");
    }

    /** Returns a rate per second or, when slow, per minute: {@code 12/s}, {@code 3/min}. */
    static String rate(long count, Duration within) {
        double seconds = Math.max(1, within.toMillis() / 1000.0);
        double perSecond = count / seconds;
        if (perSecond >= TEN) {
            return String.format(Locale.ROOT, "%,.0f/s", perSecond);
        }
        if (perSecond >= 1) {
            return String.format(Locale.ROOT, "%.1f/s", perSecond);
        }
        double perMinute = perSecond * 60;
        return count == 0 || perMinute >= TEN
                ? String.format(Locale.ROOT, "%.0f/min", perMinute)
                : String.format(Locale.ROOT, "%.1f/min", perMinute);
    }

    /** Returns a length of time in its largest unit that is not below one: {@code 340 ms}, {@code 2.1 s}, {@code 3 h}. */
    static String duration(Duration duration) {
        double ms = duration.toNanos() / 1e6;
        if (ms > 0 && ms < 0.05) {
            return "< 0.1 ms";
        }
        if (ms < 1_000) {
            return ms == 0 || ms >= TEN
                    ? String.format(Locale.ROOT, "%.0f ms", ms)
                    : String.format(Locale.ROOT, "%.1f ms", ms);
        }
        double seconds = ms / 1_000;
        if (seconds < 60) {
            return seconds < TEN
                    ? String.format(Locale.ROOT, "%.1f s", seconds)
                    : String.format(Locale.ROOT, "%.0f s", seconds);
        }
        return whole(duration);
    }

    private static String whole(Duration duration) {
        if (duration.toHours() < 2) {
            return duration.toMinutes() + " min";
        }
        return duration.toDays() < 2 ? duration.toHours() + " h" : duration.toDays() + " d";
    }

    /** Returns a time as seen from now: {@code just now}, {@code 5 min ago}, {@code in 3 h}. */
    static String ago(Instant time, Instant now) {
        Duration past = Duration.between(time, now);
        if (past.abs().toSeconds() < 5) {
            return "just now";
        }
        if (past.isNegative()) {
            return "in " + nearest(past.abs());
        }
        return (past.toSeconds() < 60 ? past.toSeconds() + " s" : whole(past)) + " ago";
    }

    /** Returns a length rounded to its unit: a pause of two hours ends in 2 h also after its first second. */
    private static String nearest(Duration length) {
        long seconds = Math.round(length.toMillis() / 1_000.0);
        if (seconds < 60) {
            return seconds + " s";
        }
        Duration minutes = Duration.ofSeconds(seconds + 30);
        if (minutes.toHours() < 2) {
            return Math.round(seconds / 60.0) + " min";
        }
        return minutes.toDays() < 2 ? Math.round(seconds / 3_600.0) + " h" : Math.round(seconds / 86_400.0) + " d";
    }

    /** Returns a time to the second. */
    static String exact(Instant time) {
        return EXACT.format(time);
    }

    /** Returns the time of day to the minute, and the day unless it is today: {@code 14:02 UTC}, {@code 3 Nov 14:02 UTC}. */
    static String clock(Instant time, Instant now) {
        String day = DAY.format(time);
        return (day.equals(DAY.format(now)) ? "" : day + " ") + CLOCK.format(time) + " UTC";
    }

    /** Returns the day of a time: {@code 3 Nov}. */
    static String day(Instant time) {
        return DAY.format(time);
    }

    /** Returns a text whose instants of ISO 8601 are times to the second, without fractions. */
    static String withTimes(String text) {
        return INSTANT.matcher(text).replaceAll(found -> Matcher.quoteReplacement(exactly(found.group())));
    }

    private static String exactly(String instant) {
        try {
            return exact(Instant.parse(instant));
        } catch (DateTimeParseException e) {
            return instant;
        }
    }

    /** Returns a size in bytes, KiB or MiB. */
    static String bytes(long size) {
        if (size < 1_024) {
            return size == 1 ? "1 byte" : size + " bytes";
        }
        double kib = size / 1_024.0;
        return kib < 1_024
                ? String.format(Locale.ROOT, "%.1f KiB", kib)
                : String.format(Locale.ROOT, "%.1f MiB", kib / 1_024);
    }

    /** Returns an error message in one line, without the name of its type, which a page shows beside it. */
    static String error(String type, String message, int most) {
        int end = message.indexOf(": ");
        boolean named = end > 0 && message.substring(0, end).endsWith(type) && message.indexOf(' ') > end;
        return brief(named ? message.substring(end + 2) : message, most);
    }

    /** Returns a text of at most so many characters, in one line. */
    static String brief(String text, int most) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= most ? line : line.substring(0, line.offsetByCodePoints(0, cutAt(line, most))) + "…";
    }

    private static int cutAt(String line, int most) {
        return line.codePointCount(0, most) - 1;
    }
}
