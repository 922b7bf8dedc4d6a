package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.core.DurationText;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The {@link RetryPolicy} of each event name, by pattern: the most specific pattern wins. An immutable value; a running
 * pipeline accepts another at any time.
 *
 * <p>{@link #defaults()}: {@code ml.run.*} 5 attempts, {@code ml.trial.*} 3, {@code ui.command.*} 2 without backoff,
 * {@code system.*} and all other names 3; exponential from 1 s doubling up to 5 min, ±20 %.
 */
public final class EventPolicies {

    private static final String UNHANDLED_AFTER = "unhandled-after";

    private static final EventPolicies DEFAULTS = new EventPolicies(
                    new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST), new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST))
            .with("*", Presets.EVENTS)
            .with("system.*", Presets.EVENTS)
            .with("ml.trial.*", Presets.EVENTS)
            .with("ml.run.*", Presets.EVENTS.toBuilder().maxAttempts(5).build())
            .with(
                    "ui.command.*",
                    Presets.EVENTS.toBuilder()
                            .maxAttempts(2)
                            .backoff(Backoff.none())
                            .build());

    private final SortedMap<NamePattern, RetryPolicy> byPattern;
    private final SortedMap<NamePattern, Duration> unhandledAfter;

    private EventPolicies(
            SortedMap<NamePattern, RetryPolicy> byPattern, SortedMap<NamePattern, Duration> unhandledAfter) {
        this.byPattern = Collections.unmodifiableSortedMap(byPattern);
        this.unhandledAfter = Collections.unmodifiableSortedMap(unhandledAfter);
    }

    /** Returns the default policies. */
    public static EventPolicies defaults() {
        return DEFAULTS;
    }

    /**
     * Returns these policies with {@code policy} for {@code pattern}, in place of the pattern's earlier policy.
     *
     * @throws IllegalArgumentException when {@code pattern} is no pattern
     */
    public EventPolicies with(String pattern, RetryPolicy policy) {
        SortedMap<NamePattern, RetryPolicy> changed = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);
        changed.putAll(byPattern);
        changed.put(new NamePattern(pattern), policy);
        return new EventPolicies(changed, unhandledAfter);
    }

    /**
     * Returns these policies with a limit for events without a handler on any live node: {@code waited} after they
     * became due, they become dead letters. Default: such events wait for a handler without limit.
     *
     * @throws IllegalArgumentException when {@code waited} is not longer than zero
     */
    public EventPolicies withUnhandledAfter(String pattern, Duration waited) {
        if (waited.isNegative() || waited.isZero()) {
            throw new IllegalArgumentException(UNHANDLED_AFTER + " must be longer than zero, got " + waited);
        }
        SortedMap<NamePattern, Duration> changed = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);
        changed.putAll(unhandledAfter);
        changed.put(new NamePattern(pattern), waited);
        return new EventPolicies(byPattern, changed);
    }

    /** Returns how long events of this name wait for a handler before they become dead letters; empty for no limit. */
    public Optional<Duration> unhandledAfter(String name) {
        return unhandledAfter.entrySet().stream()
                .filter(entry -> entry.getKey().matches(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /**
     * Returns these policies changed by settings, as a YAML reader or a properties binder gives them: for each pattern
     * the flat keys of {@link RetryPolicy#fromMap}, and {@code unhandled-after} ({@link #withUnhandledAfter}). Settings
     * change only the keys they name. The other keys keep the values of the policy in force for the pattern: its own
     * policy, or that of the next wider pattern. Wider patterns of one call are changed first.
     *
     * <pre>{@code
     * rate.limited.api.*:
     *   max-attempts: 5
     *   backoff: linear
     *   initial-delay: 10s
     *   increment: 10s
     * }</pre>
     *
     * @throws SettingException for an unknown key or a bad value; the key begins with the pattern in brackets
     */
    public EventPolicies with(Map<String, ? extends Map<String, ?>> settings) {
        SortedMap<NamePattern, Map<String, ?>> widestFirst = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST.reversed());
        settings.forEach((pattern, values) -> widestFirst.put(patternOf(pattern), values));
        EventPolicies changed = this;
        for (Map.Entry<NamePattern, Map<String, ?>> entry : widestFirst.entrySet()) {
            NamePattern pattern = entry.getKey();
            try {
                Map<String, String> texts = texts(entry.getValue());
                String waited = texts.remove(UNHANDLED_AFTER);
                if (waited != null) {
                    changed = changed.withUnhandledAfter(pattern, waited);
                }
                if (!texts.isEmpty() || waited == null) {
                    changed = changed.with(
                            pattern.text(), changed.policyFor(pattern).with(texts));
                }
            } catch (SettingException e) {
                throw e.under("[" + pattern + "].");
            }
        }
        return changed;
    }

    /** Returns the settings that all nodes of a store share, by pattern. */
    public static Map<String, Map<String, String>> shared(SharedNotes notes) {
        return SharedPolicies.read(notes);
    }

    /**
     * Changes the settings that all nodes of a store share. Settings change only the keys they name: a blank value removes a key, an
     * empty map removes the pattern.
     *
     * @throws SettingException for an unknown key or a bad value; no setting has changed
     */
    public static void share(Map<String, ? extends Map<String, ?>> settings, SharedNotes notes) {
        SharedPolicies.share(settings, notes);
    }

    private static NamePattern patternOf(String text) {
        try {
            return new NamePattern(text);
        } catch (IllegalArgumentException e) {
            throw SettingException.because("[" + text + "]", "", e);
        }
    }

    private EventPolicies withUnhandledAfter(NamePattern pattern, String waited) {
        try {
            return withUnhandledAfter(pattern.text(), DurationText.parse(waited));
        } catch (IllegalArgumentException e) {
            throw SettingException.because(UNHANDLED_AFTER, waited, e);
        }
    }

    /** Returns the policy of the pattern itself, or of the most specific pattern that fits all names of this pattern. */
    public RetryPolicy policyFor(NamePattern pattern) {
        RetryPolicy own = byPattern.get(pattern);
        if (own != null) {
            return own;
        }
        String aName = pattern.text().replace("*", "any");
        for (Map.Entry<NamePattern, RetryPolicy> entry : byPattern.entrySet()) {
            if (!entry.getKey().isExact() && entry.getKey().matches(aName)) {
                return entry.getValue();
            }
        }
        throw new IllegalStateException("the pattern * always fits, but did not fit '" + pattern + "'");
    }

    /** Returns the settings as texts, with lists joined by commas. */
    static Map<String, String> texts(Map<String, ?> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((key, value) -> texts.put(
                key,
                value instanceof Collection<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                        : String.valueOf(value)));
        return texts;
    }

    /** Returns the policy of the most specific pattern that fits {@code name}. */
    public RetryPolicy policyFor(String name) {
        for (Map.Entry<NamePattern, RetryPolicy> entry : byPattern.entrySet()) {
            if (entry.getKey().matches(name)) {
                return entry.getValue();
            }
        }
        throw new IllegalStateException("the pattern * always fits, but did not fit '" + name + "'");
    }

    /** Returns all patterns with their policies, most specific first. */
    public Map<NamePattern, RetryPolicy> all() {
        return byPattern;
    }
}
