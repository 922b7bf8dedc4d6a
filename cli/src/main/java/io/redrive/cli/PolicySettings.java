package io.redrive.cli;

import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import io.redrive.pipelinefiles.RetryVariables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy as settings on their way to {@link RetryPolicy#fromMap}, the one place that reads them. What is kept beside
 * them is how the user spelled each, so that a complaint names the option that was typed or the file that was read.
 */
final class PolicySettings {

    /** The file's other spellings of what an option says; an option replaces them. */
    private static final Map<String, String> IN_SECONDS = Map.of(
            "initial-delay", "initial-delay-seconds",
            "max-delay", "max-delay-seconds",
            "multiplier", "backoff-multiplier");

    private static final Map<String, Set<String>> USED_BY = Map.of(
            "none", Set.of(),
            "fixed", Set.of("initial-delay", "initial-delay-seconds"),
            "linear", Set.of("initial-delay", "initial-delay-seconds", "max-delay", "max-delay-seconds", "increment"),
            "exponential",
                    Set.of(
                            "initial-delay",
                            "initial-delay-seconds",
                            "max-delay",
                            "max-delay-seconds",
                            "multiplier",
                            "backoff-multiplier"),
            "delays", Set.of("delays"));

    private static final List<String> SHAPE = List.of(
            "initial-delay",
            "initial-delay-seconds",
            "max-delay",
            "max-delay-seconds",
            "multiplier",
            "backoff-multiplier",
            "increment",
            "delays");

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
     * @param prefix what stands before each key, with its dot
     */
    PolicySettings(String source, String prefix) {
        this.source = source;
        this.prefix = prefix;
    }

    /** A setting of the file. */
    void fromFile(String key, String value) {
        values.put(key, value);
    }

    /** Something the reader should know, next to the policy's own warnings. */
    void note(String text) {
        notes.add(text);
    }

    /** A setting of the command line, which wins over the file's; null when it was not given. */
    void option(String key, String option, String value) {
        if (value == null) {
            return;
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(option + " must have a value, got '" + value + "'");
        }
        values.put(key, value);
        options.put(key, option);
        values.remove(IN_SECONDS.getOrDefault(key, ""));
    }

    /** The ground that the {@code RETRY_*} variables lay, with the preset that applications have below them. */
    void environment(Map<String, String> environment) {
        Map<String, String> below = RetryVariables.below(values.keySet(), environment);
        if (!below.isEmpty()) {
            boolean ownShape = values.keySet().stream().anyMatch(SHAPE::contains) || values.containsKey("backoff");
            if (!ownShape) {
                values.put("preset", "visibility");
            }
            values.putAll(below);
            note("RETRY_* variables of the environment are part of this policy");
        }
    }

    /** The policy; a bad value is an {@link IllegalArgumentException} in the user's words. */
    RetryPolicy policy() {
        try {
            return RetryPolicy.fromMap(values);
        } catch (SettingException e) {
            throw new IllegalArgumentException(inTheUsersWords(e), e);
        }
    }

    /** Settings that were given but change nothing, and other things to know. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if ("false".equalsIgnoreCase(values.getOrDefault("enabled", "").trim())) {
            all.add(prefix + "enabled is false: one attempt, no retry; the other settings have no effect");
            return all;
        }
        String kind = kind();
        for (String key : SHAPE) {
            if (values.containsKey(key) && !USED_BY.getOrDefault(kind, Set.of()).contains(key)) {
                all.add(spelled(key) + " has no effect with backoff " + kind);
            }
        }
        return all;
    }

    private String kind() {
        String usual = values.containsKey("delays") ? "delays" : "exponential";
        return values.getOrDefault("backoff", usual).trim();
    }

    private String spelled(String key) {
        return options.getOrDefault(key, prefix + key);
    }

    private String inTheUsersWords(SettingException refusal) {
        String option = options.get(refusal.key());
        if (option != null) {
            return option + ": " + refusal.complaint();
        }
        return source.isEmpty()
                ? refusal.getMessage()
                : source + ": " + refusal.under(prefix).getMessage();
    }
}
