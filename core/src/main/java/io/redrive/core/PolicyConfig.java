package io.redrive.core;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Policies from settings. A bad value is refused with its key, the rule, and the value. */
final class PolicyConfig {

    private static final Set<String> KEYS = new TreeSet<>(List.of(
            "preset",
            "enabled",
            "max-attempts",
            "backoff",
            "initial-delay",
            "max-delay",
            "multiplier",
            "increment",
            "delays",
            "jitter",
            "max-duration",
            "max-retry-after",
            "retry-on",
            "do-not-retry-on",
            "retry-on-status",
            "retry-on-kind",
            "initial-delay-seconds",
            "max-delay-seconds",
            "backoff-multiplier"));

    private final String prefix;
    private final Map<String, String> settings;

    private PolicyConfig(String prefix, Map<String, String> settings) {
        this.prefix = prefix;
        this.settings = settings;
    }

    static RetryPolicy fromMap(Map<String, String> settings) {
        return new PolicyConfig("", settings).policy();
    }

    static RetryPolicy fromProperties(Properties properties, String prefix) {
        Map<String, String> settings = new LinkedHashMap<>();
        String start = prefix + ".";
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.startsWith(start)) {
                settings.put(key.substring(start.length()), properties.getProperty(key));
            }
        }
        return new PolicyConfig(start, settings).policy();
    }

    static RetryPolicy fromEnvironment(Map<String, String> environment) {
        PolicyConfig variables = new PolicyConfig("", environment);
        ExponentialBackoff usual = (ExponentialBackoff) Presets.VISIBILITY.backoff();
        Duration initial = variables.read("RETRY_BASE_DELAY_MS", usual.initial(), variables::millis);
        Duration max = variables.read("RETRY_MAX_DELAY_SECONDS", usual.max(), variables::seconds);
        double factor = variables.read("RETRY_BACKOFF_FACTOR", usual.multiplier(), PolicyConfig::atLeastOne);
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "RETRY_MAX_DELAY_SECONDS must not be shorter than RETRY_BASE_DELAY_MS of "
                            + DurationText.format(initial) + ", got " + DurationText.format(max));
        }
        return Presets.VISIBILITY.toBuilder()
                .maxAttempts(
                        variables.read("RETRY_MAX_ATTEMPTS", Presets.VISIBILITY.maxAttempts(), PolicyConfig::attempts))
                .backoff(Backoff.exponential(initial, max, factor))
                .maxDuration(variables.read(
                        "RETRY_TTL_MINUTES", Presets.VISIBILITY.maxDuration().orElseThrow(), PolicyConfig::minutes))
                .build();
    }

    private RetryPolicy policy() {
        for (String key : settings.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("unknown setting '" + prefix + key + "' = '" + settings.get(key)
                        + "'; known settings: " + String.join(", ", KEYS));
            }
        }
        if (!read("enabled", true, PolicyConfig::bool)) {
            return RetryPolicy.noRetry();
        }
        RetryPolicy base = read("preset", usualBase(), Presets::named);
        RetryPolicy.Builder policy = base.toBuilder()
                .maxAttempts(read("max-attempts", base.maxAttempts(), PolicyConfig::attempts))
                .backoff(backoff(base.backoff()))
                .jitter(read("jitter", base.jitter(), PolicyConfig::jitter));
        with("max-duration", DurationText::parse, policy::maxDuration);
        with("max-retry-after", PolicyConfig::duration, policy::maxRetryAfter);
        with("retry-on", PolicyConfig::exceptionTypes, policy::retryOn);
        with("do-not-retry-on", PolicyConfig::exceptionTypes, policy::doNotRetryOn);
        with("retry-on-status", PolicyConfig::statuses, policy::retryOnStatus);
        with("retry-on-kind", text -> list(text).toArray(String[]::new), policy::retryOnKind);
        return policy.build();
    }

    /** Settings spelled in seconds come from the connection preset's world; others start from the builder's defaults. */
    private RetryPolicy usualBase() {
        boolean inSeconds = settings.containsKey("initial-delay-seconds")
                || settings.containsKey("max-delay-seconds")
                || settings.containsKey("backoff-multiplier");
        return inSeconds ? Presets.CONNECTION : RetryPolicy.builder().build();
    }

    private Backoff backoff(Backoff base) {
        if (settings.keySet().stream().noneMatch(BACKOFF_KEYS::contains)) {
            return base;
        }
        String kind = settings.containsKey("backoff")
                ? settings.get("backoff").trim()
                : settings.containsKey("delays") ? "delays" : "exponential";
        ExponentialBackoff usual = base instanceof ExponentialBackoff exponential
                ? exponential
                : (ExponentialBackoff) RetryPolicy.builder().build().backoff();
        Duration initial = either("initial-delay", "initial-delay-seconds", usual.initial());
        Duration max = either("max-delay", "max-delay-seconds", longer(usual.max(), initial));
        String maxKey = settings.containsKey("max-delay-seconds") ? "max-delay-seconds" : "max-delay";
        return switch (kind) {
            case "none" -> Backoff.none();
            case "fixed" -> Backoff.fixed(initial);
            case "linear" -> {
                Duration increment = read("increment", initial, PolicyConfig::duration);
                yield checked(maxKey, () -> Backoff.linear(initial, increment, max));
            }
            case "exponential" -> {
                double multiplier = multiplier(usual);
                yield checked(maxKey, () -> Backoff.exponential(initial, max, multiplier));
            }
            case "delays" -> Backoff.delays(required("delays", PolicyConfig::durations));
            default ->
                throw new IllegalArgumentException(
                        prefix + "backoff must be one of none, fixed, linear, exponential, delays; got '" + kind + "'");
        };
    }

    private static final Set<String> BACKOFF_KEYS = Set.of(
            "backoff",
            "initial-delay",
            "max-delay",
            "multiplier",
            "increment",
            "delays",
            "initial-delay-seconds",
            "max-delay-seconds",
            "backoff-multiplier");

    private double multiplier(ExponentialBackoff usual) {
        refuseBoth("multiplier", "backoff-multiplier");
        double value = read("backoff-multiplier", usual.multiplier(), PolicyConfig::atLeastOne);
        return read("multiplier", value, PolicyConfig::atLeastOne);
    }

    private Duration either(String key, String secondsKey, Duration usual) {
        refuseBoth(key, secondsKey);
        return read(key, read(secondsKey, usual, this::seconds), PolicyConfig::duration);
    }

    private void refuseBoth(String key, String other) {
        if (settings.containsKey(key) && settings.containsKey(other)) {
            throw new IllegalArgumentException("give either " + prefix + key + " or " + prefix + other
                    + ", not both; got '" + settings.get(key) + "' and '" + settings.get(other) + "'");
        }
    }

    private <T> T read(String key, T usual, Function<String, T> parse) {
        String text = settings.get(key);
        return text == null || text.isBlank() ? usual : parsed(key, text.trim(), parse);
    }

    private <T> T required(String key, Function<String, T> parse) {
        T value = read(key, null, parse);
        if (value == null) {
            throw new IllegalArgumentException(prefix + key + " is required with this backoff");
        }
        return value;
    }

    private <T> void with(String key, Function<String, T> parse, Function<T, RetryPolicy.Builder> use) {
        String text = settings.get(key);
        if (text != null && !text.isBlank()) {
            parsed(key, text.trim(), parse.andThen(use));
        }
    }

    private <T> T parsed(String key, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(prefix + key + " must be a number, got '" + text + "'", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(prefix + key + ": " + e.getMessage(), e);
        }
    }

    private <T> T checked(String key, java.util.function.Supplier<T> make) {
        return parsed(key, "", ignored -> make.get());
    }

    private static Duration duration(String text) {
        return notNegative(DurationText.parse(text), text);
    }

    private Duration millis(String text) {
        return notNegative(Duration.ofMillis(whole(text, Long::parseLong)), text);
    }

    private Duration seconds(String text) {
        return notNegative(DurationText.parse(notNegativeNumber(text) + "s"), text);
    }

    private static Duration minutes(String text) {
        if (!(Double.parseDouble(text) > 0)) {
            throw new IllegalArgumentException("must be more than 0, got '" + text + "'");
        }
        return DurationText.parse(text + "m");
    }

    private static <N> N whole(String text, Function<String, N> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number, got '" + text + "'");
        }
    }

    private static String notNegativeNumber(String text) {
        if (!(Double.parseDouble(text) >= 0)) {
            throw new IllegalArgumentException("must not be negative, got '" + text + "'");
        }
        return text;
    }

    private static Duration notNegative(Duration value, String text) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("must not be negative, got '" + text + "'");
        }
        return value;
    }

    private static int attempts(String text) {
        int value = whole(text, Integer::parseInt);
        if (value < 1) {
            throw new IllegalArgumentException("must be at least 1, got '" + text + "'");
        }
        return value;
    }

    private static double atLeastOne(String text) {
        double value = Double.parseDouble(text);
        if (!(value >= 1) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("must be a finite number of at least 1, got '" + text + "'");
        }
        return value;
    }

    private static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false, got '" + text + "'");
        };
    }

    private static Jitter jitter(String text) {
        String[] parts = text.split(":", 2);
        return switch (parts[0].trim()) {
            case "none" -> Jitter.none();
            case "full" -> Jitter.full();
            case "equal" -> Jitter.equal();
            case "decorrelated" -> Jitter.decorrelated();
            case "factor" -> Jitter.factor(share(parts, text));
            case "additive" -> Jitter.additive(share(parts, text));
            default -> Jitter.factor(share(new String[] {"", text}, text));
        };
    }

    private static double share(String[] parts, String text) {
        try {
            return Double.parseDouble(parts.length > 1 ? parts[1].trim() : "");
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be none, full, equal, decorrelated, factor:0.2, additive:0.2 or a"
                    + " number between 0 and 1; got '" + text + "'");
        }
    }

    private static Duration[] durations(String text) {
        return list(text).stream().map(PolicyConfig::duration).toArray(Duration[]::new);
    }

    private static int[] statuses(String text) {
        return list(text).stream().mapToInt(Integer::parseInt).toArray();
    }

    @SuppressWarnings("unchecked")
    private static Class<? extends Throwable>[] exceptionTypes(String text) {
        return list(text).stream().map(PolicyConfig::exceptionType).toArray(Class[]::new);
    }

    private static Class<? extends Throwable> exceptionType(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader())
                    .asSubclass(Throwable.class);
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "must name exception classes on the class path, such as java.io.IOException; got '" + name + "'");
        }
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
