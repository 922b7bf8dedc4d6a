package io.redrive.pipelinefiles;

import io.redrive.core.RetryPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The variables {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_BASE_DELAY_MS}, {@code RETRY_BACKOFF_FACTOR},
 * {@code RETRY_MAX_DELAY_SECONDS} and {@code RETRY_TTL_MINUTES} as settings of a policy. They are the ground: a setting that
 * is given elsewhere wins.
 */
public final class RetryVariables {

    private static final Set<String> SHAPE = Set.of(
            "backoff",
            "delays",
            "increment",
            "initial-delay",
            "initial-delay-seconds",
            "max-delay",
            "max-delay-seconds",
            "multiplier",
            "backoff-multiplier");

    private RetryVariables() {}

    /**
     * The settings that the environment has and that {@code given} leaves open. Who gives part of a backoff gives all of it,
     * and who names a preset means that preset.
     */
    public static Map<String, String> below(Set<String> given, Map<String, String> environment) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (given.contains("preset")) {
            return settings;
        }
        put(settings, "max-attempts", environment, "RETRY_MAX_ATTEMPTS", "");
        put(settings, "max-duration", environment, "RETRY_TTL_MINUTES", "m");
        if (given.stream().noneMatch(SHAPE::contains)) {
            put(settings, "initial-delay", environment, "RETRY_BASE_DELAY_MS", "ms");
            put(settings, "max-delay", environment, "RETRY_MAX_DELAY_SECONDS", "s");
            put(settings, "multiplier", environment, "RETRY_BACKOFF_FACTOR", "");
        }
        settings.keySet().removeAll(given);
        if (!settings.isEmpty()) {
            // Core knows the rules of the variables, and complains in their names.
            RetryPolicy.fromEnvironment(environment);
        }
        return settings;
    }

    private static void put(
            Map<String, String> settings, String key, Map<String, String> environment, String variable, String unit) {
        String value = environment.getOrDefault(variable, "").strip();
        if (!value.isEmpty()) {
            settings.put(key, value + unit);
        }
    }
}
