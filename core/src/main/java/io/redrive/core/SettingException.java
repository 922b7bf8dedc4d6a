package io.redrive.core;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A refused setting: an unknown key, or a value that breaks the key's rule. Key, rule, value and the nearest known
 * key are fields, from which the message is made, so that no caller has to read the message.
 */
public final class SettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final boolean unknown;
    private final String key;
    private final String rule;
    private final String value;
    private final String complaint;
    private final @Nullable String suggestion;

    private SettingException(
            boolean unknown,
            String key,
            String rule,
            String value,
            String complaint,
            @Nullable String suggestion,
            @Nullable Throwable cause) {
        super(unknown ? unknownMessage(key, rule, value, suggestion) : key + ": " + complaint, cause);
        this.unknown = unknown;
        this.key = key;
        this.rule = rule;
        this.value = value;
        this.complaint = complaint;
        this.suggestion = suggestion;
    }

    /**
     * Refuses a value: {@code max-attempts: must be at least 1, got '0'}.
     *
     * @param rule the rule of the key, such as {@code must be at least 1}
     * @param value the value given; empty when there is none
     */
    public static SettingException of(String key, String rule, String value) {
        return new SettingException(false, key, rule, value, complaint(rule, value), null, null);
    }

    /**
     * Refuses a value for which a setter threw {@code refusal}. The message of the refusal, which names the value already,
     * is the rule; the refusal is the cause.
     *
     * @param value the value given; empty when several settings together are refused
     */
    public static SettingException because(String key, String value, RuntimeException refusal) {
        String rule = String.valueOf(refusal.getMessage());
        return new SettingException(false, key, rule, value, rule, null, refusal);
    }

    /** Refuses a key that is not in {@code known}, and suggests the nearest known key. */
    public static SettingException unknown(String key, String value, Collection<String> known) {
        String rule = "known settings: " + String.join(", ", new TreeSet<>(known));
        String nearest = nearest(key, known).orElse(null);
        return new SettingException(true, key, rule, value, complaint(rule, value), nearest, null);
    }

    /**
     * Returns the known name that a mistyped name most likely means, regardless of case, hyphens, underscores and
     * dots. Empty when no known name is near enough.
     */
    public static Optional<String> nearest(String name, Collection<String> known) {
        return NearestName.of(name, known);
    }

    /** Returns this refusal for the same key below {@code prefix}, for example {@code redrive.policies.bank.}. */
    public SettingException under(String prefix) {
        return new SettingException(unknown, prefix + key, rule, value, complaint, suggestion, getCause());
    }

    /** Returns the key with all its prefixes. */
    public String key() {
        return key;
    }

    /** Returns the rule that is broken; for an unknown key, the list of the known keys. */
    public String rule() {
        return rule;
    }

    /** Returns the value as given; empty when there was none. */
    public String value() {
        return value;
    }

    /** Returns true for an unknown key, false for a value that breaks its key's rule. */
    public boolean isUnknownKey() {
        return unknown;
    }

    /** Returns rule and value without the key: {@code must be at least 1, got '0'}. */
    public String complaint() {
        return complaint;
    }

    /** Returns the known key that is nearest to an unknown key. */
    public Optional<String> suggestion() {
        return Optional.ofNullable(suggestion);
    }

    private static String complaint(String rule, String value) {
        return rule + (value.isEmpty() ? "" : ", got '" + value + "'");
    }

    private static String unknownMessage(String key, String rule, String value, @Nullable String suggestion) {
        return "unknown setting '" + key + "' = '" + value + "'; "
                + (suggestion == null ? "" : "did you mean " + suggestion + "? ") + rule;
    }
}
