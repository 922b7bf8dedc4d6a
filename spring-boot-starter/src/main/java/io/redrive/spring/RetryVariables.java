package io.redrive.spring;

import io.redrive.core.RetryPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** The environment variables {@code RETRY_*} as settings of a policy, below every setting under {@code redrive}. */
final class RetryVariables {

    private record Key(String name, String unit) {}

    /** Key and unit of the setting for each variable. */
    private static final Map<String, Key> KEYS = Map.of(
            "RETRY_MAX_ATTEMPTS", new Key("max-attempts", ""),
            "RETRY_BASE_DELAY_MS", new Key("initial-delay", "ms"),
            "RETRY_BACKOFF_FACTOR", new Key("multiplier", ""),
            "RETRY_MAX_DELAY_SECONDS", new Key("max-delay", "s"),
            "RETRY_TTL_MINUTES", new Key("max-duration", "m"));

    private RetryVariables() {}

    /** Returns {@code variables} as settings of a policy; the exception for a refused value names the variable. */
    static Map<String, String> settings(Map<String, String> variables) {
        RetryPolicy.fromEnvironment(variables);
        Map<String, String> settings = new LinkedHashMap<>();
        KEYS.forEach((variable, key) -> {
            String value = variables.get(variable);
            if (value != null) {
                settings.put(key.name, value.trim() + key.unit);
            }
        });
        return settings;
    }

    /** Returns the names of the supported variables. */
    static Iterable<String> names() {
        return KEYS.keySet();
    }
}
