package io.redrive.events;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which events a claimer takes, besides its lane. Due events that the filter refuses are <em>set aside</em>: they leave the
 * queue, so that nobody has to step over them again, and wait by name for a claimer whose filter accepts them. An event that
 * was set aside is as ready as before and keeps its place among the events of its ordering key.
 *
 * @param accepted patterns of the names to take; none means no event at all. Patterns that another one includes are left out
 * @param excluded names not to take although a pattern accepts them
 * @param waited takes only events that have been due for so long
 */
public record ClaimFilter(Set<NamePattern> accepted, Set<String> excluded, Duration waited) {

    /** Every event. */
    public static final ClaimFilter ALL = new ClaimFilter(Set.of(new NamePattern("*")), Set.of(), Duration.ZERO);

    /** Copies the sets. */
    public ClaimFilter {
        accepted = withoutIncluded(accepted);
        excluded = Set.copyOf(excluded);
        if (waited.isNegative()) {
            throw new IllegalArgumentException("waited must not be negative, got " + waited);
        }
    }

    /** Names that fit one of these patterns. */
    public static ClaimFilter of(Collection<NamePattern> accepted) {
        return new ClaimFilter(Set.copyOf(accepted), Set.of(), Duration.ZERO);
    }

    /** The same names without these. */
    public ClaimFilter without(Set<String> names) {
        return new ClaimFilter(accepted, names, waited);
    }

    /** The same names, of events that have been due for {@code duration}. */
    public ClaimFilter waitedFor(Duration duration) {
        return new ClaimFilter(accepted, excluded, duration);
    }

    /** True when events of this name are taken. */
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
