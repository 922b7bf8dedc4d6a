package io.redrive.events;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Dead letters with the same cause.
 *
 * @param fingerprint the cause
 * @param errorType the short type of the cause
 * @param example the last error of one letter
 * @param count the number of letters
 * @param names the event names of the letters, at most ten
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

    private static final int MAX_NAMES = 10;

    /** Returns the groups of these letters, which come oldest first; the largest group first. */
    static List<LetterGroup> largest(Stream<DeadLetter> letters, int limit) {
        return letters.collect(Collectors.groupingBy(DeadLetter::fingerprint)).values().stream()
                .map(LetterGroup::of)
                .sorted(Comparator.comparingLong(LetterGroup::count).reversed().thenComparing(LetterGroup::fingerprint))
                .limit(limit)
                .toList();
    }

    /** Returns the group of letters with one cause, oldest first. */
    static LetterGroup of(List<DeadLetter> alike) {
        DeadLetter first = alike.get(0);
        List<String> names =
                alike.stream()
                        .map(letter -> letter.event().name())
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .limit(MAX_NAMES)
                        .toList();
        List<Instant> times = alike.stream().map(DeadLetter::deadAt).sorted().toList();
        return new LetterGroup(
                first.fingerprint(),
                first.errorType(),
                first.lastError(),
                alike.size(),
                names,
                times.get(0),
                times.get(times.size() - 1));
    }
}
