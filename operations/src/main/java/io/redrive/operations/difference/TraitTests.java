package io.redrive.operations.difference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which traits are differences. A trait is told when its shares are more than {@link #LEAST_DISTANCE} apart and chance
 * explains that with a probability of at most {@link #FALSE_ALARMS} divided by the number of tests. So the probability that a
 * comparison of events that do not differ tells anything is at most {@link #FALSE_ALARMS} (Bonferroni). The number of tests
 * depends on all documents together and not on their sides, which that argument needs.
 */
final class TraitTests {

    /** Shares that are not further apart than this are no difference: half of the documents. */
    static final double LEAST_DISTANCE = 0.5;

    /** The most comparisons that tell a difference where there is none. */
    static final double FALSE_ALARMS = 0.001;

    /** The least part of the documents of each side that must tell of a subject. */
    private static final double LEAST_KNOWN = 0.5;

    /** Of equally strong differences the one comes first that tells what letters have. */
    private static final Comparator<Difference> STRONGEST = Comparator.comparingLong(
                    (Difference each) -> -Math.round(each.strength() * 1e9))
            .thenComparing(each -> each.letters().rate() < each.handled().rate())
            .thenComparing(each -> each.trait().kind())
            .thenComparing(Difference::subject)
            .thenComparing(each -> each.trait().value());

    private final List<Difference> apart = new ArrayList<>();
    private long tests;

    void test(Subject subject, Trait trait, Share[] shares) {
        Share letters = shares[SubjectTally.LETTERS];
        Share handled = shares[SubjectTally.HANDLED];
        long least = Math.min(letters.of(), handled.of()) / 2 + 1;
        long having = letters.having() + handled.having();
        if (having < least || letters.of() + handled.of() - having < least) {
            // Too few or too many documents for shares that are far enough apart, whatever their sides are.
            return;
        }
        tests++;
        Difference difference = new Difference(subject, trait, letters, handled);
        if (difference.strength() > LEAST_DISTANCE && isKnown(letters) && isKnown(handled)) {
            apart.add(difference);
        }
    }

    private static boolean isKnown(Share share) {
        return share.of() > 0 && share.of() >= LEAST_KNOWN * (share.of() + share.unknown());
    }

    /** Returns the differences, the strongest first: one of each subject, and none that follows from another one. */
    List<Difference> differences(int limit) {
        Map<Subject, Difference> best = new HashMap<>();
        apart.stream()
                .filter(each -> FisherTest.chance(each.letters(), each.handled()) * tests <= FALSE_ALARMS)
                .map(TraitTests::towardsLetters)
                .sorted(STRONGEST)
                .forEach(each -> best.putIfAbsent(each.subject(), each));
        return best.values().stream()
                .filter(each -> !followsFromParent(each, best) && !followsFromOthers(each, best))
                .sorted(STRONGEST)
                .limit(limit)
                .toList();
    }

    /** Tells what letters have rather than what letters lack, where there are words for both. */
    static Difference towardsLetters(Difference difference) {
        return !difference.trait().hasOpposite()
                        || difference.letters().rate() >= difference.handled().rate()
                ? difference
                : new Difference(
                        difference.subject(),
                        difference.trait().opposite(),
                        difference.letters().complement(),
                        difference.handled().complement());
    }

    /** Fields make the size of a payload, and the time is within an hour. */
    private static boolean followsFromOthers(Difference difference, Map<Subject, Difference> best) {
        Subject time = Subject.of(Subject.Kind.TIME);
        Subject hour = Subject.of(Subject.Kind.HOUR);
        return switch (difference.subject().kind()) {
            case SIZE ->
                best.keySet().stream().anyMatch(subject -> subject.isField() || subject.kind() == Subject.Kind.PAYLOAD);
            case HOUR -> best.containsKey(time) && best.get(time).strength() >= difference.strength();
            case TIME -> best.containsKey(hour) && best.get(hour).strength() > difference.strength();
            default -> false;
        };
    }

    /** Without an object there are no fields of the object. */
    private static boolean followsFromParent(Difference difference, Map<Subject, Difference> best) {
        Trait.Kind kind = difference.trait().kind();
        if (!difference.subject().isField() || kind != Trait.Kind.ABSENT && kind != Trait.Kind.PRESENT) {
            return false;
        }
        String pointer = difference.subject().name();
        for (int end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
            Difference parent = best.get(new Subject(Subject.Kind.FIELD, pointer.substring(0, end)));
            if (parent != null && parent.strength() >= difference.strength()) {
                return true;
            }
        }
        return false;
    }
}
