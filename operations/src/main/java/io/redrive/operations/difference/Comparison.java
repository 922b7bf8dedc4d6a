package io.redrive.operations.difference;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the traits that separate letters from handled events. A pure function: the same documents give the same differences.
 *
 * <p><b>What it promises.</b> Where letters and handled events do not differ, at most one comparison in 1,000 tells a difference
 * ({@link TraitTests}). A told difference concerns more than half of the documents of a side. Few documents are no exception: with one letter
 * nothing can be told, with two letters a trait must be missing in hundreds of handled events.
 *
 * <p><b>How.</b> Each value, type, presence and number of each subject is a trait; Fisher's exact test gives the probability that
 * chance alone puts the documents with the trait on one side. Values that follow the time (counters, clocks) are left out, because
 * letters and sample are of different times. For the same reason the time itself is compared only when the sample covers the time
 * of all letters.
 *
 * <p><b>Rejected.</b> A decision tree finds combinations of fields, but cannot say how often it errs. Comparing means and most
 * frequent values tells something for every pair of samples.
 */
public final class Comparison {

    /** The most differences of a comparison. */
    public static final int MAX_DIFFERENCES = 20;

    /** Nodes write their samples once a minute, so letters may be newer than the sample by about as much. */
    private static final Duration NOT_WRITTEN_YET = Duration.ofMinutes(2);

    /** The tests of a comparison of payloads with few fields. */
    private static final int USUAL_TESTS = 60;

    /** An hour of the day is compared when the sample has every hour. */
    private static final Duration DAY = Duration.ofHours(24);

    private Comparison() {}

    /**
     * Returns the differences, the strongest first.
     *
     * @param letters documents of letters of one event name
     * @param handled documents of handled events of the same name
     * @param counted subjects that are counted outside of the documents
     */
    public static List<Difference> of(List<EventDocument> letters, List<EventDocument> handled, List<Counts> counted) {
        TraitTests tests = new TraitTests();
        Set<Subject.Kind> left = leftOut(letters, handled);
        Map<Subject, Integer> present = new HashMap<>();
        for (List<EventDocument> side : List.of(letters, handled)) {
            side.forEach(
                    document -> document.values().keySet().forEach(subject -> present.merge(subject, 1, Integer::sum)));
        }
        // A rarer subject cannot separate half of the documents, even if half of the documents do not tell of it.
        int least = (Math.min(letters.size(), handled.size()) + 3) / 4;
        Map<Subject, SubjectTally> tallies = new HashMap<>();
        present.forEach((subject, documents) -> {
            if (documents >= least && !left.contains(subject.kind())) {
                tallies.put(subject, new SubjectTally(subject));
            }
        });
        add(tallies, SubjectTally.LETTERS, letters);
        add(tallies, SubjectTally.HANDLED, handled);
        SubjectTally.Sizes sizes = new SubjectTally.Sizes(
                new int[] {letters.size(), handled.size()}, new int[] {complete(letters), complete(handled)});
        tallies.values().forEach(tally -> tally.test(sizes, tests));
        counted.forEach(counts -> test(counts, tests));
        return tests.differences(MAX_DIFFERENCES);
    }

    /** Returns false when even a trait that all letters and no handled events have would rarely be told. */
    public static boolean canTell(int letters, int handled) {
        Share all = new Share(letters, letters, 0);
        Share none = new Share(0, handled, 0);
        return letters > 0 && handled > 0 && FisherTest.chance(all, none) * USUAL_TESTS <= TraitTests.FALSE_ALARMS;
    }

    private static void add(Map<Subject, SubjectTally> tallies, int side, List<EventDocument> documents) {
        for (EventDocument document : documents) {
            document.values().forEach((subject, values) -> {
                SubjectTally tally = tallies.get(subject);
                if (tally != null) {
                    tally.add(side, document, values);
                }
            });
        }
    }

    private static int complete(List<EventDocument> documents) {
        return (int) documents.stream().filter(EventDocument::isComplete).count();
    }

    private static void test(Counts counts, TraitTests tests) {
        long letters = sum(counts.letters());
        long handled = sum(counts.handled());
        Map<String, Share[]> shares = new HashMap<>();
        for (Map<String, Long> side : List.of(counts.letters(), counts.handled())) {
            side.keySet()
                    .forEach(value -> shares.put(value, new Share[] {
                        new Share(counts.letters().getOrDefault(value, 0L), letters, 0),
                        new Share(counts.handled().getOrDefault(value, 0L), handled, 0)
                    }));
        }
        shares.forEach((value, both) -> tests.test(counts.subject(), new Trait(Trait.Kind.EQUALS, value), both));
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the subjects that would separate only because letters and sample are of different times. */
    private static Set<Subject.Kind> leftOut(List<EventDocument> letters, List<EventDocument> handled) {
        boolean covered = !letters.isEmpty()
                && !handled.isEmpty()
                && !first(letters).isBefore(first(handled))
                && !last(letters).isAfter(last(handled).plus(NOT_WRITTEN_YET));
        if (!covered) {
            return Set.of(Subject.Kind.TIME, Subject.Kind.HOUR);
        }
        boolean day = Duration.between(first(handled), last(handled)).compareTo(DAY) >= 0;
        return day ? Set.of() : Set.of(Subject.Kind.HOUR);
    }

    private static Instant first(List<EventDocument> documents) {
        return documents.stream()
                .map(EventDocument::at)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private static Instant last(List<EventDocument> documents) {
        return documents.stream()
                .map(EventDocument::at)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }
}
