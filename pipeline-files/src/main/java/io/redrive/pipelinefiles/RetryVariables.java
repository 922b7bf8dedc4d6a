package io.redrive.pipelinefiles;

import io.redrive.core.RetryPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The variables {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_BASE_DELAY_MS}, {@code RETRY_BACKOFF_FACTOR},
 * {@code RETRY_MAX_DELAY_SECONDS} and {@code RETRY_TTL_MINUTES} as settings of a policy. A setting from a file or an option replaces
 * the setting of a variable.
 */
public final class RetryVariables {

    /** The settings that describe the backoff. */
    private static final Set<String> BACKOFF_KEYS = Set.of(
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
     * Returns the settings of the variables that {@code given} leaves open. A setting of the backoff in {@code given} replaces all
     * variables of the backoff; a preset in {@code given} replaces all variables.
     *
     * @param given the keys that a file or options set
     * @throws io.redrive.core.SettingException when the value of a variable is refused
     */
    public static Map<String, String> below(Set<String> given, Map<String, String> environment) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (given.contains("preset")) {
            return settings;
        }
        put(settings, "max-attempts", environment, "RETRY_MAX_ATTEMPTS", "");
        put(settings, "max-duration", environment, "RETRY_TTL_MINUTES", "m");
        if (given.stream().noneMatch(BACKOFF_KEYS::contains)) {
            put(settings, "initial-delay", environment, "RETRY_BASE_DELAY_MS", "ms");
            put(settings, "max-delay", environment, "RETRY_MAX_DELAY_SECONDS", "s");
            put(settings, "multiplier", environment, "RETRY_BACKOFF_FACTOR", "");
        }
        settings.keySet().removeAll(given);
        if (!settings.isEmpty()) {
            // Core knows the rules of the variables, and names the variable in its refusals.
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
