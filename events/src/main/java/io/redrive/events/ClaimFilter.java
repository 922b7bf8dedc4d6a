package io.redrive.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the events that a claimer takes from its lane. Due events that the filter refuses are <em>set aside</em>:
 * they leave the queue, so that later claims need not skip them again, and wait by name for a claimer whose filter
 * accepts them. An event that is set aside stays ready and keeps its place among the events of its ordering key.
 *
 * @param accepted patterns of the names to take; an empty set takes no event. Patterns that another pattern includes
 *     are dropped
 * @param excluded patterns of names not to take although {@code accepted} matches, whichever pattern is more specific.
 *     Patterns that another pattern includes are dropped
 * @param waited takes only events that have been due for this long
 */
public record ClaimFilter(Set<NamePattern> accepted, Set<NamePattern> excluded, Duration waited) {

    private static final NamePattern EVERY_NAME = new NamePattern("*");

    /** So many patterns are compared one by one, which is quicker than looking them up. */
    private static final int FEW = 20;

    /** Accepts every event. */
    public static final ClaimFilter ALL = new ClaimFilter(Set.of(EVERY_NAME), Set.of(), Duration.ZERO);

    /** Copies the sets. */
    public ClaimFilter {
        accepted = withoutIncluded(accepted);
        excluded = withoutIncluded(excluded);
        if (waited.isNegative()) {
            throw new IllegalArgumentException("waited must not be negative, got " + waited);
        }
    }

    /**
     * Names between two texts, in the order of character codes.
     *
     * @param lowest the lowest text of the range
     * @param beyond the lowest text above the range
     */
    public record Range(String lowest, String beyond) {}

    /** Returns a filter for names that match one of these patterns. */
    public static ClaimFilter of(Collection<NamePattern> accepted) {
        return new ClaimFilter(Set.copyOf(accepted), Set.of(), Duration.ZERO);
    }

    /** Returns a filter for the accepted names without the names that match one of these patterns. */
    public ClaimFilter without(Collection<NamePattern> patterns) {
        return new ClaimFilter(accepted, Set.copyOf(patterns), waited);
    }

    /** Returns a filter for the same names, restricted to events that have been due for {@code duration}. */
    public ClaimFilter waitedFor(Duration duration) {
        return new ClaimFilter(accepted, excluded, duration);
    }

    /** Returns true when the filter accepts events of this name. */
    public boolean accepts(String name) {
        return matches(accepted, name) && !matches(excluded, name);
    }

    /**
     * Returns the accepted names as ranges that do not overlap. A store that keeps names in order reads these ranges alone, and
     * never sees an excluded name.
     */
    public List<Range> ranges() {
        List<Range> ranges = new ArrayList<>();
        for (NamePattern pattern : accepted) {
            if (excluded.stream().noneMatch(each -> each.includes(pattern))) {
                addRest(pattern, ranges);
            }
        }
        return ranges;
    }

    /** Adds the parts of a pattern's range between the excluded ranges inside it. */
    private void addRest(NamePattern pattern, List<Range> ranges) {
        String from = pattern.lowest();
        List<NamePattern> inside = excluded.stream()
                .filter(pattern::includes)
                .sorted((one, other) -> one.lowest().compareTo(other.lowest()))
                .toList();
        for (NamePattern hole : inside) {
            if (from.compareTo(hole.lowest()) < 0) {
                ranges.add(new Range(from, hole.lowest()));
            }
            from = hole.beyond();
        }
        if (from.compareTo(pattern.beyond()) < 0) {
            ranges.add(new Range(from, pattern.beyond()));
        }
    }

    private static boolean matches(Set<NamePattern> patterns, String name) {
        if (patterns.size() > FEW && EventName.isValid(name)) {
            return patterns.contains(new NamePattern(name)) || isIncluded(patterns, name);
        }
        for (NamePattern pattern : patterns) {
            if (pattern.matches(name)) {
                return true;
            }
        }
        return false;
    }

    private static Set<NamePattern> withoutIncluded(Set<NamePattern> patterns) {
        return patterns.stream()
                .filter(pattern -> !isIncluded(patterns, pattern.text()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns true when a wider pattern includes a name or pattern: one look-up for each word, however many patterns there are. */
    private static boolean isIncluded(Set<NamePattern> patterns, String text) {
        String stem = text.endsWith(".*") ? text.substring(0, text.length() - 2) : text;
        for (int dot = stem.lastIndexOf('.'); dot > 0; dot = stem.lastIndexOf('.', dot - 1)) {
            if (patterns.contains(new NamePattern(stem.substring(0, dot) + ".*"))) {
                return true;
            }
        }
        return !text.equals("*") && patterns.contains(EVERY_NAME);
    }
}
