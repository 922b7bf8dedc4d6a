package io.redrive.cli.policy;

import io.redrive.core.PolicyLint;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryVariables;
import io.redrive.core.SettingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a policy for {@link RetryPolicy#fromMap}, which alone reads them. Remembers where the user wrote each
 * setting, so that an error message names the option or the file.
 */
final class PolicySettings {

    /** Settings of options, and the second key of each setting in files; an option replaces both keys. */
    private static final Map<String, String> OTHER_KEYS = Map.of(
            "initial-delay", "initial-delay-seconds",
            "max-delay", "max-delay-seconds",
            "multiplier", "backoff-multiplier");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final String source;
    private final String prefix;

    PolicySettings() {
        this("", "");
    }

    /**
     * Settings from a file.
     *
     * @param source the file's name, for messages
     * @param prefix the path of the mapping in the file, with a dot at its end; empty at the top
     */
    PolicySettings(String source, String prefix) {
        this.source = source;
        this.prefix = prefix;
    }

    /** Adds a setting of the file. */
    void fromFile(String key, String value) {
        values.put(key, value);
    }

    /** Adds a warning of this command to those of the policy. */
    void note(String text) {
        notes.add(text);
    }

    /** Adds the setting of an option, which replaces the setting of the file; null when the option is not given. */
    void option(String key, String option, @Nullable String value) {
        if (value == null) {
            return;
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(option + " must have a value, got '" + value + "'");
        }
        values.put(key, value);
        options.put(key, option);
        values.remove(OTHER_KEYS.getOrDefault(key, ""));
    }

    /** Adds the settings of the {@code RETRY_*} variables that neither file nor options give. */
    void environment(Map<String, String> environment) {
        Map<String, String> below = RetryVariables.below(values.keySet(), environment);
        if (!below.isEmpty()) {
            if (!RetryVariables.isBackoffGiven(values.keySet())) {
                values.put("preset", "visibility");
            }
            values.putAll(below);
            note("RETRY_* variables of the environment are part of this policy");
        }
    }

    /**
     * Returns the policy.
     *
     * @throws IllegalArgumentException when a value is refused; the message names the option or the file
     */
    RetryPolicy policy() {
        try {
            return RetryPolicy.fromMap(values);
        } catch (SettingException e) {
            throw new IllegalArgumentException(asTheUserWroteIt(e), e);
        }
    }

    /** Returns the added warnings, and one for each setting without effect. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if ("false".equalsIgnoreCase(values.getOrDefault("enabled", "").trim())) {
            all.add(prefix + "enabled is false: one attempt, no retry; the other settings have no effect");
            return all;
        }
        String kind = backoffKind();
        for (String key : PolicyLint.unusedKeys(kind, values.keySet())) {
            all.add(written(key) + " has no effect with backoff " + kind);
        }
        return all;
    }

    private String backoffKind() {
        String usual = values.containsKey("delays") ? "delays" : "exponential";
        return values.getOrDefault("backoff", usual).trim();
    }

    private String written(String key) {
        return options.getOrDefault(key, prefix + key);
    }

    private String asTheUserWroteIt(SettingException refusal) {
        String option = options.get(refusal.key());
        if (option != null) {
            return option + ": " + refusal.complaint();
        }
        return source.isEmpty()
                ? String.valueOf(refusal.getMessage())
                : source + ": " + refusal.under(prefix).getMessage();
    }
}
