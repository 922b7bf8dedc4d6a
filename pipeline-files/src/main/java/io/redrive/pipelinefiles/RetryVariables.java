package io.redrive.pipelinefiles;

import io.redrive.core.RetryPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the environment variables {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_BASE_DELAY_MS}, {@code RETRY_BACKOFF_FACTOR},
 * {@code RETRY_MAX_DELAY_SECONDS} and {@code RETRY_TTL_MINUTES} as settings of a retry policy. A setting in a file or an
 * option overrides its variable.
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
     * Returns the settings of the environment that {@code given} does not override. A given setting of the backoff overrides
     * all variables of the backoff; a given preset overrides all variables.
     *
     * @param given the keys of the settings in a file or in options
     * @throws io.redrive.core.SettingException when a variable that applies has a bad value
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
            // Refuses bad values with a message that names the variable.
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
