package io.redrive.pipeline;

import io.redrive.core.Backoff;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.events.NamePattern;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which {@link RetryPolicy} holds for which event names: the most specific pattern wins. An immutable value; a running
 * pipeline takes a new one at any time.
 *
 * <p>{@link #defaults()}: {@code ml.run.*} 5 attempts, {@code ml.trial.*} 3, {@code ui.command.*} 2 without backoff,
 * {@code system.*} and everything else 3; exponential from 1 s doubling up to 5 min, ±20 %.
 */
public final class EventPolicies {

    private static final EventPolicies DEFAULTS = new EventPolicies(new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST))
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

    private EventPolicies(SortedMap<NamePattern, RetryPolicy> byPattern) {
        this.byPattern = Collections.unmodifiableSortedMap(byPattern);
    }

    /** The table above. */
    public static EventPolicies defaults() {
        return DEFAULTS;
    }

    /** These policies with {@code policy} for {@code pattern}, replacing what was there. */
    public EventPolicies with(String pattern, RetryPolicy policy) {
        SortedMap<NamePattern, RetryPolicy> changed = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);
        changed.putAll(byPattern);
        changed.put(new NamePattern(pattern), policy);
        return new EventPolicies(changed);
    }

    /**
     * These policies changed by settings, as a YAML reader or a properties binder gives them: for each pattern the flat keys
     * of {@link RetryPolicy#fromMap}. What a pattern does not set is as in {@link Presets#EVENTS}.
     *
     * <pre>{@code
     * rate.limited.api.*:
     *   max-attempts: 5
     *   backoff: linear
     *   initial-delay: 10s
     *   increment: 10s
     * }</pre>
     */
    public EventPolicies with(Map<String, ? extends Map<String, ?>> settings) {
        EventPolicies changed = this;
        for (Map.Entry<String, ? extends Map<String, ?>> entry : settings.entrySet()) {
            try {
                Map<String, String> texts = texts(entry.getValue());
                texts.putIfAbsent("preset", "events");
                changed = changed.with(entry.getKey(), RetryPolicy.fromMap(texts));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("policy for '" + entry.getKey() + "': " + e.getMessage(), e);
            }
        }
        return changed;
    }

    /** Settings as texts, with lists joined by commas. */
    static Map<String, String> texts(Map<String, ?> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((key, value) -> texts.put(
                key,
                value instanceof Collection<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                        : String.valueOf(value)));
        return texts;
    }

    /** The policy of the most specific pattern that fits {@code name}. */
    public RetryPolicy policyFor(String name) {
        for (Map.Entry<NamePattern, RetryPolicy> entry : byPattern.entrySet()) {
            if (entry.getKey().matches(name)) {
                return entry.getValue();
            }
        }
        throw new IllegalStateException("the pattern * always fits, but did not fit '" + name + "'");
    }

    /** All patterns with their policies, most specific first. */
    public Map<NamePattern, RetryPolicy> all() {
        return byPattern;
    }
}
