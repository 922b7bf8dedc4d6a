package io.redrive.pipelinefiles;

import io.redrive.items.RateLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/** Reads values of a pipeline file. Throws an {@link IllegalArgumentException} whose message is the rule alone. */
final class Parse {

    private static final Pattern RATE =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*/\\s*(s|second|m|min|minute|h|hour)", Pattern.CASE_INSENSITIVE);
    private static final Pattern COST_RATE =
            Pattern.compile("(\\d[\\d_]{0,17})\\s*/\\s*(s|second|m|min|minute|h|hour)", Pattern.CASE_INSENSITIVE);
    private static final Pattern BYTES =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(|B|KB|KiB|MB|MiB|GB|GiB)", Pattern.CASE_INSENSITIVE);

    private static final Pattern BAD_ESCAPE = Pattern.compile("~(?![01])");

    private Parse() {}

    /** Reads a JSON pointer; an empty text names the whole value. */
    static JsonPointer pointer(String text) {
        if (!text.isEmpty() && !text.startsWith("/")) {
            throw new RuleException("must be a JSON pointer such as /choices/0/text");
        }
        if (BAD_ESCAPE.matcher(text).find()) {
            throw new RuleException("must be a JSON pointer, in which ~ is written ~0 and / within a name ~1");
        }
        return JsonPointer.compile(text);
    }

    /** Reads a share such as {@code 10%} or {@code 0.1}. */
    static double share(String text) {
        String number = text.strip();
        double value = number.endsWith("%")
                ? Double.parseDouble(number.substring(0, number.length() - 1)) / 100
                : Double.parseDouble(number);
        if (!(value >= 0 && value <= 1)) {
            throw new RuleException("must be a share between 0 and 1, or between 0% and 100%");
        }
        return value;
    }

    /** Reads a whole number of at least 1. */
    static int count(String text) {
        if (!text.strip().matches("[1-9]\\d{0,8}")) {
            throw new RuleException("must be a whole number of at least 1");
        }
        return Integer.parseInt(text.strip());
    }

    /** Reads a rate of calls such as {@code 20/s}, {@code 600/m} or {@code 1000/h}. */
    static RateLimit rate(String text) {
        Matcher rate = RATE.matcher(text.strip());
        if (!rate.matches()) {
            throw new RuleException("must be calls per time, such as 20/s, 600/m or 0.5/s");
        }
        return new RateLimit(Double.parseDouble(rate.group(1)), period(rate.group(2)));
    }

    private static Duration period(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT).charAt(0)) {
            case 's' -> Duration.ofSeconds(1);
            case 'm' -> Duration.ofMinutes(1);
            default -> Duration.ofHours(1);
        };
    }

    /** Reads a rate of costs such as {@code 90_000/min}. */
    static CostRate costRate(String text) {
        Matcher rate = COST_RATE.matcher(text.strip());
        if (!rate.matches()) {
            throw new RuleException("must be tokens per time, such as 90_000/min, 1500/s or 2_000_000/h");
        }
        return new CostRate(Long.parseLong(rate.group(1).replace("_", "")), period(rate.group(2)));
    }

    /** An amount of costs in a period. */
    record CostRate(long amount, Duration per) {}

    /** Reads a number of bytes such as {@code 4MiB}, {@code 500KB} or {@code 1000}. */
    static long bytes(String text) {
        Matcher bytes = BYTES.matcher(text.strip());
        if (!bytes.matches()) {
            throw new RuleException("must be a number of bytes, such as 512KiB or 4MiB");
        }
        String unit = bytes.group(2).toLowerCase(Locale.ROOT);
        long step = unit.contains("i") ? 1_024 : 1_000;
        int power = unit.startsWith("k") ? 1 : unit.startsWith("m") ? 2 : unit.startsWith("g") ? 3 : 0;
        BigDecimal value =
                new BigDecimal(bytes.group(1)).multiply(BigDecimal.valueOf(step).pow(power));
        return value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    /** Returns the text, which must be one of the known words. */
    static String word(String text, String... known) {
        for (String word : known) {
            if (word.equals(text)) {
                return word;
            }
        }
        throw new RuleException("must be one of " + String.join(", ", known));
    }
}
