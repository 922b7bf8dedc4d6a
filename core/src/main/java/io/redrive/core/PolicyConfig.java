package io.redrive.core;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads policies from settings. Each setting changes one part of a policy; a bad setting is a {@link
 * SettingException}.
 */
final class PolicyConfig {

    private static final Set<String> KEYS = keys();

    private final String prefix;
    private final Map<String, String> settings;

    private PolicyConfig(String prefix, Map<String, String> settings) {
        this.prefix = prefix;
        this.settings = settings;
    }

    static RetryPolicy fromMap(Map<String, String> settings) {
        PolicyConfig config = new PolicyConfig("", settings);
        return config.changed(config.usualBase());
    }

    static RetryPolicy fromProperties(Properties properties, String prefix) {
        Map<String, String> settings = new LinkedHashMap<>();
        String start = prefix + ".";
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.startsWith(start)) {
                settings.put(key.substring(start.length()), properties.getProperty(key));
            }
        }
        PolicyConfig config = new PolicyConfig(start, settings);
        return config.changed(config.usualBase());
    }

    static RetryPolicy changed(RetryPolicy base, Map<String, String> settings) {
        return new PolicyConfig("", settings).changed(base);
    }

    static RetryPolicy fromEnvironment(Map<String, String> environment) {
        PolicyConfig variables = new PolicyConfig("", environment);
        ExponentialBackoff usual = (ExponentialBackoff) Presets.VISIBILITY.backoff();
        Duration initial = variables.read("RETRY_BASE_DELAY_MS", usual.initial(), SettingValues::millis);
        Duration max = variables.read("RETRY_MAX_DELAY_SECONDS", usual.max(), SettingValues::seconds);
        double factor = variables.read("RETRY_BACKOFF_FACTOR", usual.multiplier(), SettingValues::atLeastOne);
        if (max.compareTo(initial) < 0) {
            throw SettingException.of(
                    "RETRY_MAX_DELAY_SECONDS",
                    "must not be shorter than RETRY_BASE_DELAY_MS of " + DurationText.format(initial),
                    DurationText.format(max));
        }
        RetryPolicy.Builder policy = Presets.VISIBILITY.toBuilder().backoff(Backoff.exponential(initial, max, factor));
        variables.with("RETRY_MAX_ATTEMPTS", SettingValues::attempts, policy::maxAttempts);
        variables.with("RETRY_TTL_MINUTES", SettingValues::minutes, policy::maxDuration);
        return policy.build();
    }

    /** Returns true for a key that describes the backoff. */
    static boolean isOfBackoff(String key) {
        return key.equals("backoff") || BackoffShape.KEYS.contains(key);
    }

    private RetryPolicy changed(RetryPolicy inForce) {
        for (String key : settings.keySet()) {
            if (!KEYS.contains(key)) {
                throw SettingException.unknown(key, String.valueOf(settings.get(key)), KEYS)
                        .under(prefix);
            }
        }
        if (!read("enabled", true, SettingValues::bool)) {
            return inForce.toBuilder()
                    .maxAttempts(1)
                    .backoff(Backoff.none())
                    .jitter(Jitter.none())
                    .build();
        }
        RetryPolicy base = read("preset", inForce, Presets::find);
        RetryPolicy.Builder policy = base.toBuilder().backoff(backoff(base.backoff()));
        with("max-attempts", SettingValues::attempts, policy::maxAttempts);
        with("jitter", SettingValues::jitter, policy::jitter);
        with("max-duration", PolicyConfig::orNone, limit -> policy.maxDuration = limit.orElse(null));
        with("max-retry-after", SettingValues::duration, policy::maxRetryAfter);
        rules(policy);
        return policy.build();
    }

    /** A list replaces the list in force. */
    private void rules(RetryPolicy.Builder policy) {
        with("retry-on", SettingValues::exceptionTypes, types -> {
            policy.rules.retryOn.clear();
            policy.retryOn(types);
        });
        with("do-not-retry-on", SettingValues::exceptionTypes, types -> {
            policy.rules.doNotRetryOn.clear();
            policy.doNotRetryOn(types);
        });
        with("retry-on-status", SettingValues::statuses, codes -> {
            policy.rules.statuses.clear();
            policy.retryOnStatus(codes);
        });
        with("retry-on-kind", SettingValues::list, names -> {
            policy.rules.kinds.clear();
            policy.retryOnKind(names.toArray(String[]::new));
        });
    }

    /** Returns the policy that settings change: {@link Presets#CONNECTION} for keys in seconds, else the defaults. */
    private RetryPolicy usualBase() {
        boolean inSeconds = settings.containsKey("initial-delay-seconds")
                || settings.containsKey("max-delay-seconds")
                || settings.containsKey("backoff-multiplier");
        return inSeconds ? Presets.CONNECTION : RetryPolicy.builder().build();
    }

    private Backoff backoff(Backoff inForce) {
        if (!names("backoff") && BackoffShape.KEYS.stream().noneMatch(this::names)) {
            return inForce;
        }
        BackoffShape shape = BackoffShape.of(inForce);
        String kind = read("backoff", names("delays") ? "delays" : shape.kindFor(this::names), Function.identity());
        Duration initial = either("initial-delay", "initial-delay-seconds", shape.initial());
        Duration max = either("max-delay", "max-delay-seconds", longer(shape.max(), initial));
        return switch (kind) {
            case "none" -> Backoff.none();
            case "fixed" -> Backoff.fixed(initial);
            case "linear" -> {
                Duration increment = read("increment", shape.increment().orElse(initial), SettingValues::duration);
                yield Backoff.linear(initial, increment, atLeast(initial, max));
            }
            case "exponential" -> Backoff.exponential(initial, atLeast(initial, max), multiplier(shape));
            case "delays" -> Backoff.delays(delays(inForce));
            default ->
                throw SettingException.of(
                        prefix + "backoff", "must be one of none, fixed, linear, exponential, delays", kind);
        };
    }

    private Duration[] delays(Backoff inForce) {
        Duration[] usual =
                inForce instanceof DelaysBackoff given ? given.delays().toArray(Duration[]::new) : new Duration[0];
        Duration[] delays = read("delays", usual, SettingValues::durations);
        if (delays.length == 0) {
            throw SettingException.of(prefix + "delays", "is required with backoff delays", "");
        }
        return delays;
    }

    private Duration atLeast(Duration initial, Duration max) {
        if (max.compareTo(initial) < 0) {
            String key = names("max-delay-seconds") ? "max-delay-seconds" : "max-delay";
            throw SettingException.of(
                    prefix + key,
                    "must be at least the initial delay of " + DurationText.format(initial),
                    text(key).trim());
        }
        return max;
    }

    private double multiplier(BackoffShape shape) {
        refuseBoth("multiplier", "backoff-multiplier");
        double value = read("backoff-multiplier", shape.multiplier(), SettingValues::atLeastOne);
        return read("multiplier", value, SettingValues::atLeastOne);
    }

    private Duration either(String key, String secondsKey, Duration usual) {
        refuseBoth(key, secondsKey);
        return read(key, read(secondsKey, usual, SettingValues::seconds), SettingValues::duration);
    }

    private void refuseBoth(String key, String other) {
        if (names(key) && names(other)) {
            throw SettingException.of(prefix + key, "must not be given together with " + prefix + other, text(key));
        }
    }

    /** A blank value counts as not given. */
    private boolean names(String key) {
        return !text(key).isBlank();
    }

    private String text(String key) {
        @Nullable String text = settings.get(key);
        return text == null ? "" : text;
    }

    private <T> T read(String key, T usual, Function<String, T> parse) {
        return names(key) ? parsed(key, parse) : usual;
    }

    private <T> void with(String key, Function<String, T> parse, Consumer<T> use) {
        if (names(key)) {
            use.accept(parsed(key, parse));
        }
    }

    private <T> T parsed(String key, Function<String, T> parse) {
        try {
            return parse.apply(text(key).trim());
        } catch (SettingException e) {
            throw e.under(prefix + key);
        }
    }

    private static Optional<Duration> orNone(String text) {
        return text.equals("none") ? Optional.empty() : Optional.of(SettingValues.positive(text));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Set<String> keys() {
        Set<String> keys = new TreeSet<>(BackoffShape.KEYS);
        keys.addAll(List.of(
                "backoff",
                "preset",
                "enabled",
                "max-attempts",
                "jitter",
                "max-duration",
                "max-retry-after",
                "retry-on",
                "do-not-retry-on",
                "retry-on-status",
                "retry-on-kind"));
        return keys;
    }
}
