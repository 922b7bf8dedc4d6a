package io.redrive.core;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 1.5s}, {@code 30m}, {@code 1h 30m}, or ISO {@code PT30M}. */
public final class DurationText {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ns|us|µs|ms|s|m|h|d)");

    /** The longest duration whose nanoseconds fit a long. */
    static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private static final BigDecimal MOST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    /** The rule that {@link #parse} enforces. */
    static final String RULE =
            "duration must be a number with a unit (ns, us, ms, s, m, h, d) or ISO-8601, such as 250ms,"
                    + " 1.5s, 30m or PT30M";

    private DurationText() {}

    /**
     * Reads a duration. The unit is required.
     *
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String text) {
        return tryParse(text).orElseThrow(() -> new IllegalArgumentException(RULE + "; got '" + text + "'"));
    }

    /** Returns the duration, or empty when the text is none. */
    static Optional<Duration> tryParse(String text) {
        String trimmed = text.trim();
        if (trimmed.startsWith("P") || trimmed.startsWith("p")) {
            try {
                return Optional.of(Duration.parse(trimmed));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
        Matcher part = PART.matcher(trimmed);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (part.find() && trimmed.substring(end, part.start()).isBlank()) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(nanosPer(part.group(2))));
            end = part.end();
        }
        if (end == 0 || end != trimmed.length()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(
                nanos.min(MOST_NANOS).setScale(0, RoundingMode.HALF_UP).longValueExact()));
    }

    /** Writes a duration in the form that {@link #parse} reads, rounded to three decimals of its unit. */
    public static String format(Duration duration) {
        long nanos = atMostLongest(duration).toNanos();
        if (nanos < 1_000_000L) {
            return nanos == 0 ? "0ms" : number(nanos / 1_000.0) + "us";
        }
        if (nanos < 1_000_000_000L) {
            return number(nanos / 1_000_000.0) + "ms";
        }
        if (nanos < 60_000_000_000L) {
            return number(nanos / 1_000_000_000.0) + "s";
        }
        return inMinutesAndMore(duration);
    }

    private static String inMinutesAndMore(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        double seconds = duration.toSecondsPart() + duration.toMillisPart() / 1_000.0;
        if (seconds > 0) {
            text.append(number(seconds)).append("s ");
        }
        return text.toString().trim();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit).append(' ');
        }
    }

    /** Returns a number without trailing zeros: 2, 1.5, 0.125. */
    static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    static Duration requireNotNegative(String what, Duration duration) {
        if (duration == null || duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, got " + duration);
        }
        return duration;
    }

    /** Returns the duration, at most {@link #LONGEST}: arithmetic with a longer one could overflow. */
    static Duration atMostLongest(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }

    static Duration requirePositive(String what, Duration duration) {
        if (duration == null || duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be longer than zero, got " + duration);
        }
        return duration;
    }

    static Duration requireAtLeast(String what, Duration duration, Duration least) {
        if (duration == null || duration.compareTo(least) < 0) {
            throw new IllegalArgumentException(what + " must be at least " + format(least) + ", got "
                    + (duration == null ? "null" : duration.isNegative() ? duration.toString() : format(duration)));
        }
        return duration;
    }

    private static BigDecimal nanosPer(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "ns" -> 1L;
                    case "us", "µs" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 86_400_000_000_000L;
                });
    }
}
