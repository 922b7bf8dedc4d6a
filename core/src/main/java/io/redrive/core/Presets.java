package io.redrive.core;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Policies to start from; {@link RetryPolicy#toBuilder()} changes one. */
public final class Presets {

    /** Durable events: 3 attempts, 1 s doubling up to 5 min, ±20 %. */
    public static final RetryPolicy EVENTS = exponential(3, Duration.ofSeconds(1), Duration.ofSeconds(300))
            .jitter(0.2)
            .build();

    /** A stage of an item run: 3 attempts, 1 s doubling up to 1 min, ±25 %. */
    public static final RetryPolicy STAGE = exponential(3, Duration.ofSeconds(1), Duration.ofSeconds(60))
            .jitter(0.25)
            .build();

    /** An actor's message: 3 attempts, 100 ms doubling up to 10 s, ±10 %. */
    public static final RetryPolicy ACTOR = exponential(3, Duration.ofMillis(100), Duration.ofSeconds(10))
            .jitter(0.1)
            .build();

    /** A race with a slow store: 8 attempts, 250 ms doubling up to 1 min, full jitter, within 30 min. */
    public static final RetryPolicy VISIBILITY = exponential(8, Duration.ofMillis(250), Duration.ofSeconds(60))
            .jitter(Jitter.full())
            .maxDuration(Duration.ofMinutes(30))
            .build();

    /** Connecting to a service: 5 attempts, 5 s doubling up to 5 min, no jitter. */
    public static final RetryPolicy CONNECTION = exponential(5, Duration.ofSeconds(5), Duration.ofSeconds(300))
            .jitter(Jitter.none())
            .build();

    /**
     * Delivery of a webhook: 10 attempts spread over about three days, as Standard Webhooks advises: after 5 s, 5 min,
     * 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, ±10 %.
     */
    public static final RetryPolicy WEBHOOK = RetryPolicy.builder()
            .maxAttempts(10)
            .backoff(Backoff.delays(
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    Duration.ofHours(5),
                    Duration.ofHours(10),
                    Duration.ofHours(14),
                    Duration.ofHours(20),
                    Duration.ofHours(24)))
            .jitter(0.1)
            .build();

    private static final Map<String, RetryPolicy> BY_NAME = byName();

    private Presets() {}

    /**
     * Returns the preset {@code events}, {@code stage}, {@code actor}, {@code visibility}, {@code connection} or
     * {@code webhook}.
     *
     * @throws SettingException if no preset has this name
     */
    public static RetryPolicy named(String name) {
        try {
            return find(name);
        } catch (SettingException e) {
            throw e.under("preset");
        }
    }

    /** {@link #named} for a caller that adds the key to the refusal. */
    static RetryPolicy find(String name) {
        RetryPolicy preset = BY_NAME.get(name);
        if (preset == null) {
            throw SettingValues.refused("must be one of " + String.join(", ", BY_NAME.keySet()), name);
        }
        return preset;
    }

    /** All presets by name, in the order above. */
    public static Map<String, RetryPolicy> all() {
        return BY_NAME;
    }

    private static RetryPolicy.Builder exponential(int attempts, Duration initial, Duration max) {
        return RetryPolicy.builder().maxAttempts(attempts).backoff(Backoff.exponential(initial, max, 2.0));
    }

    private static Map<String, RetryPolicy> byName() {
        Map<String, RetryPolicy> presets = new LinkedHashMap<>();
        presets.put("events", EVENTS);
        presets.put("stage", STAGE);
        presets.put("actor", ACTOR);
        presets.put("visibility", VISIBILITY);
        presets.put("connection", CONNECTION);
        presets.put("webhook", WEBHOOK);
        return Collections.unmodifiableMap(presets);
    }
}
