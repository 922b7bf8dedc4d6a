package io.redrive.events;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Selects the events that a claimer takes from its lane. Due events that the filter refuses are <em>set aside</em>:
 * they leave the queue, so that later claims need not skip them again, and wait by name for a claimer whose filter
 * accepts them. An event that is set aside stays ready and keeps its place among the events of its ordering key.
 *
 * @param accepted patterns of the names to take; an empty set takes no event. Patterns that another pattern includes
 *     are dropped
 * @param excluded names not to take although a pattern accepts them
 * @param waited takes only events that have been due for this long
 */
public record ClaimFilter(Set<NamePattern> accepted, Set<String> excluded, Duration waited) {

    /** Accepts every event. */
    public static final ClaimFilter ALL = new ClaimFilter(Set.of(new NamePattern("*")), Set.of(), Duration.ZERO);

    /** Copies the sets. */
    public ClaimFilter {
        accepted = withoutIncluded(accepted);
        excluded = Set.copyOf(excluded);
        if (waited.isNegative()) {
            throw new IllegalArgumentException("waited must not be negative, got " + waited);
        }
    }

    /** Returns a filter for names that match one of these patterns. */
    public static ClaimFilter of(Collection<NamePattern> accepted) {
        return new ClaimFilter(Set.copyOf(accepted), Set.of(), Duration.ZERO);
    }

    /** Returns a filter for the accepted names without these. */
    public ClaimFilter without(Set<String> names) {
        return new ClaimFilter(accepted, names, waited);
    }

    /** Returns a filter for the same names, restricted to events that have been due for {@code duration}. */
    public ClaimFilter waitedFor(Duration duration) {
        return new ClaimFilter(accepted, excluded, duration);
    }

    /** Returns true when the filter accepts events of this name. */
    public boolean accepts(String name) {
        if (excluded.contains(name)) {
            return false;
        }
        for (NamePattern pattern : accepted) {
            if (pattern.matches(name)) {
                return true;
            }
        }
        return false;
    }

    private static Set<NamePattern> withoutIncluded(Set<NamePattern> patterns) {
        Set<NamePattern> kept = new TreeSet<>(NamePattern.MOST_SPECIFIC_FIRST);
        kept.addAll(patterns);
        return kept.stream()
                .filter(pattern -> kept.stream().noneMatch(other -> !other.equals(pattern) && other.includes(pattern)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
