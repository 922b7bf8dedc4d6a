package io.redrive.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment variables {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_TTL_MINUTES}, {@code RETRY_BASE_DELAY_MS}, {@code
 * RETRY_MAX_DELAY_SECONDS} and {@code RETRY_BACKOFF_FACTOR} as settings with the keys of {@link RetryPolicy#fromMap}. A
 * blank variable counts as not set.
 */
public final class RetryVariables {

    private record Variable(String name, String key, String unit) {}

    private static final List<Variable> ALL = List.of(
            new Variable("RETRY_MAX_ATTEMPTS", "max-attempts", ""),
            new Variable("RETRY_TTL_MINUTES", "max-duration", "m"),
            new Variable("RETRY_BASE_DELAY_MS", "initial-delay", "ms"),
            new Variable("RETRY_MAX_DELAY_SECONDS", "max-delay", "s"),
            new Variable("RETRY_BACKOFF_FACTOR", "multiplier", ""));

    private RetryVariables() {}

    /** Returns the names of the variables. */
    public static List<String> names() {
        return ALL.stream().map(Variable::name).toList();
    }

    /**
     * Returns the settings of all variables that {@code environment} sets.
     *
     * @throws SettingException when the value of a variable is refused; the exception names the variable
     */
    public static Map<String, String> settings(Map<String, String> environment) {
        return below(Set.of(), environment);
    }

    /**
     * Returns the settings of the variables that {@code given} leaves open. A setting of the backoff in {@code given}
     * replaces all variables of the backoff; a preset in {@code given} replaces all variables.
     *
     * @param given the keys that a file or options set
     * @throws SettingException when the value of a variable is refused; the exception names the variable
     */
    public static Map<String, String> below(Set<String> given, Map<String, String> environment) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (given.contains("preset")) {
            return settings;
        }
        boolean ownBackoff = isBackoffGiven(given);
        for (Variable variable : ALL) {
            String value = environment.getOrDefault(variable.name, "").trim();
            boolean replaced = given.contains(variable.key) || ownBackoff && PolicyConfig.isOfBackoff(variable.key);
            if (!value.isEmpty() && !replaced) {
                settings.put(variable.key, value + variable.unit);
            }
        }
        if (!settings.isEmpty()) {
            // Only this method knows the rules of the variables, and names the variable in its refusals.
            RetryPolicy.fromEnvironment(environment);
        }
        return settings;
    }

    /** Returns true when one of the keys describes the backoff, and so replaces the variables of the backoff. */
    public static boolean isBackoffGiven(Set<String> given) {
        return given.stream().anyMatch(PolicyConfig::isOfBackoff);
    }
}
