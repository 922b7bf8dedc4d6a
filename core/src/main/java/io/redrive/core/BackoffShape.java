package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A backoff as the settings that make it, so that one setting can be changed while the rest stays. A value that the
 * backoff lacks is the builder's default.
 *
 * @param kind fixed, linear, exponential or delays; empty for a backoff that no settings can make
 */
record BackoffShape(String kind, Duration initial, Duration max, double multiplier, Optional<Duration> increment) {

    private static final ExponentialBackoff USUAL = ExponentialBackoff.USUAL;

    /** The keys that describe a backoff of a known kind. */
    static final List<String> KEYS = List.of(
            "initial-delay",
            "initial-delay-seconds",
            "max-delay",
            "max-delay-seconds",
            "multiplier",
            "backoff-multiplier",
            "increment",
            "delays");

    /** The keys that a backoff of each kind uses. */
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

    static BackoffShape of(Backoff backoff) {
        if (backoff instanceof ExponentialBackoff given) {
            return new BackoffShape("exponential", given.initial(), given.max(), given.multiplier(), Optional.empty());
        }
        if (backoff instanceof LinearBackoff given) {
            return new BackoffShape(
                    "linear", given.initial(), given.max(), USUAL.multiplier(), Optional.of(given.increment()));
        }
        if (backoff instanceof FixedBackoff given && !given.delay().isZero()) {
            return new BackoffShape("fixed", given.delay(), USUAL.max(), USUAL.multiplier(), Optional.empty());
        }
        String kind = backoff instanceof FixedBackoff ? "fixed" : backoff instanceof DelaysBackoff ? "delays" : "";
        return new BackoffShape(kind, USUAL.initial(), USUAL.max(), USUAL.multiplier(), Optional.empty());
    }

    /**
     * Returns the kind under these keys: the present kind, or exponential when the present kind cannot use one of the
     * keys.
     */
    String kindFor(Predicate<String> names) {
        return unusedBy(kind, names).isEmpty() ? kind : "exponential";
    }

    /** Returns the keys among {@code names} that describe a backoff and that a backoff of this kind does not use. */
    static List<String> unusedBy(String kind, Predicate<String> names) {
        Set<String> used = USED_BY.getOrDefault(kind, Set.of());
        return KEYS.stream().filter(names).filter(key -> !used.contains(key)).toList();
    }
}
