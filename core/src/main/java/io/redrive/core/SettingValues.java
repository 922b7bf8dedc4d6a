package io.redrive.core;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Converts the texts of settings to values. A refusal names the rule; {@link PolicyConfig} adds the key. */
final class SettingValues {

    private SettingValues() {}

    static Duration duration(String text) {
        return notNegative(DurationText.tryParse(text).orElseThrow(() -> refused(DurationText.RULE, text)), text);
    }

    static Duration positive(String text) {
        Duration value = duration(text);
        if (value.isZero()) {
            throw refused("must be longer than zero", text);
        }
        return value;
    }

    static Duration millis(String text) {
        return notNegative(Duration.ofMillis(whole(text, Long::parseLong)), text);
    }

    static Duration seconds(String text) {
        if (!(number(text) >= 0)) {
            throw refused("must not be negative", text);
        }
        return duration(text + "s");
    }

    static Duration minutes(String text) {
        if (!(number(text) > 0)) {
            throw refused("must be more than 0", text);
        }
        return duration(text + "m");
    }

    static Duration[] durations(String text) {
        return list(text).stream().map(SettingValues::duration).toArray(Duration[]::new);
    }

    static int attempts(String text) {
        int value = whole(text, Integer::parseInt);
        if (value < 1) {
            throw refused("must be at least 1", text);
        }
        return value;
    }

    static double atLeastOne(String text) {
        double value = number(text);
        if (!(value >= 1) || Double.isInfinite(value)) {
            throw refused("must be a finite number of at least 1", text);
        }
        return value;
    }

    static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused("must be true or false", text);
        };
    }

    static Jitter jitter(String text) {
        String[] parts = text.split(":", 2);
        return switch (parts[0].trim()) {
            case "none" -> Jitter.none();
            case "full" -> Jitter.full();
            case "equal" -> Jitter.equal();
            case "decorrelated" -> Jitter.decorrelated();
            case "factor" -> Jitter.factor(share(parts.length > 1 ? parts[1].trim() : "", text));
            case "additive" -> Jitter.additive(share(parts.length > 1 ? parts[1].trim() : "", text));
            default -> Jitter.factor(share(text, text));
        };
    }

    static int[] statuses(String text) {
        int[] codes = list(text).stream()
                .mapToInt(code -> whole(code, Integer::parseInt))
                .toArray();
        for (int code : codes) {
            if (code < 100 || code > 599) {
                throw refused("HTTP status must be between 100 and 599", Integer.toString(code));
            }
        }
        return codes;
    }

    @SuppressWarnings("unchecked")
    static Class<? extends Throwable>[] exceptionTypes(String text) {
        return list(text).stream().map(SettingValues::exceptionType).toArray(Class[]::new);
    }

    static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Returns a refusal without a key; see {@link SettingException#under}. */
    static SettingException refused(String rule, String text) {
        return SettingException.of("", rule, text);
    }

    private static double share(String number, String text) {
        double share;
        try {
            share = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw refused(
                    "must be none, full, equal, decorrelated, factor:0.2, additive:0.2 or a number between 0 and 1",
                    text);
        }
        if (!(share >= 0 && share <= 1)) {
            throw refused("must be between 0 and 1", text);
        }
        return share;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw refused("must be a number", text);
        }
    }

    private static <N> N whole(String text, Function<String, N> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw refused("must be a whole number", text);
        }
    }

    private static Duration notNegative(Duration value, String text) {
        if (value.isNegative()) {
            throw refused("must not be negative", text);
        }
        return value;
    }

    private static Class<? extends Throwable> exceptionType(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader())
                    .asSubclass(Throwable.class);
        } catch (ClassNotFoundException | ClassCastException | LinkageError e) {
            throw refused("must name exception classes on the class path, such as java.io.IOException", name);
        }
    }
}
