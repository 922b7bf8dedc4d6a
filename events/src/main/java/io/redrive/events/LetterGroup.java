package io.redrive.events;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Dead letters with the same cause.
 *
 * @param fingerprint the cause
 * @param errorType the short error type of the letter that was given up first
 * @param example the last error of that letter
 * @param count the number of letters
 * @param names the event names of the letters, at most {@link #MAX_NAMES}
 * @param firstDead when the first letter was given up
 * @param lastDead when the last letter was given up
 */
public record LetterGroup(
        String fingerprint,
        String errorType,
        String example,
        long count,
        List<String> names,
        Instant firstDead,
        Instant lastDead) {

    /** The most names of a group. */
    public static final int MAX_NAMES = 10;

    private static final Comparator<DeadLetter> OLDEST_FIRST =
            Comparator.comparing(DeadLetter::deadAt).thenComparing(DeadLetter::id);

    /** Returns the groups of these letters, the largest group first. */
    static List<LetterGroup> largest(Stream<DeadLetter> letters, int limit) {
        return letters.collect(Collectors.groupingBy(DeadLetter::fingerprint)).values().stream()
                .map(LetterGroup::of)
                .sorted(Comparator.comparingLong(LetterGroup::count).reversed().thenComparing(LetterGroup::fingerprint))
                .limit(limit)
                .toList();
    }

    /** Returns the group of letters with one cause. */
    static LetterGroup of(List<DeadLetter> alike) {
        DeadLetter first = Collections.min(alike, OLDEST_FIRST);
        DeadLetter last = Collections.max(alike, OLDEST_FIRST);
        List<String> names =
                alike.stream()
                        .map(letter -> letter.event().name())
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .limit(MAX_NAMES)
                        .toList();
        return new LetterGroup(
                first.fingerprint(),
                first.errorType(),
                first.lastError(),
                alike.size(),
                names,
                first.deadAt(),
                last.deadAt());
    }
}
