package io.redrive.operations.difference;

import io.redrive.operations.difference.SubjectTally.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what is odd about one letter among handled events: a value, a type or a number that hardly any of them has. One letter
 * proves nothing, so these are leads: of letters without any oddity, one in 20 shows one by chance ({@link #FALSE_LEADS}).
 *
 * <p>The probability of chance is the share of documents, the letter included, that are as odd as the letter in the same respect.
 * A value counts as odd by how rare it is among the values of the field: so the id of an event, which is different in each event,
 * is not odd.
 */
public final class LetterOddities {

    /** The most letters without an oddity that show one. */
    public static final double FALSE_LEADS = 0.05;

    private static final Set<Subject.Kind> LEFT_OUT = Set.of(Subject.Kind.TIME, Subject.Kind.HOUR);

    private final EventDocument letter;
    private final List<EventDocument> handled;

    private LetterOddities(EventDocument letter, List<EventDocument> handled) {
        this.letter = letter;
        this.handled = handled;
    }

    /** An oddity with the probability of chance. */
    private record Lead(Difference difference, double chance) {}

    /** Returns the oddities, the rarest first. */
    public static List<Difference> of(EventDocument letter, List<EventDocument> handled) {
        return new LetterOddities(letter, handled).find();
    }

    private List<Difference> find() {
        Map<Subject, Integer> present = new HashMap<>();
        handled.forEach(
                document -> document.values().keySet().forEach(subject -> present.merge(subject, 1, Integer::sum)));
        Set<Subject> subjects = new HashSet<>(letter.values().keySet());
        present.forEach((subject, documents) -> {
            if (2 * documents >= handled.size()) {
                subjects.add(subject);
            }
        });
        subjects.removeIf(subject -> LEFT_OUT.contains(subject.kind()));
        double most = FALSE_LEADS / Math.max(1, subjects.size());
        List<Lead> leads = new ArrayList<>();
        for (Subject subject : subjects) {
            if (letter.knows(subject)) {
                rarest(subject).filter(lead -> lead.chance() <= most).ifPresent(leads::add);
            }
        }
        return leads.stream()
                .sorted(Comparator.comparingDouble(Lead::chance)
                        .thenComparing(lead -> lead.difference().subject()))
                .map(Lead::difference)
                .limit(Comparison.MAX_DIFFERENCES)
                .toList();
    }

    /** Returns the rarest trait of the letter; the chances of the kinds of traits are not added up, because one implies another. */
    private Optional<Lead> rarest(Subject subject) {
        List<EventDocument> telling =
                handled.stream().filter(document -> document.knows(subject)).toList();
        if (2 * telling.size() < handled.size()) {
            return Optional.empty();
        }
        List<Value> values = letter.of(subject);
        Trait presence = Trait.of(values.isEmpty() ? Trait.Kind.ABSENT : Trait.Kind.PRESENT);
        List<Lead> leads = new ArrayList<>();
        leads.add(counted(
                subject,
                presence,
                telling.stream()
                        .filter(document -> document.of(subject).isEmpty() == values.isEmpty())
                        .count(),
                telling.size()));
        if (values.size() == 1) {
            Value value = values.get(0);
            leads.add(counted(
                    subject,
                    new Trait(Trait.Kind.TYPE, value.type().words),
                    telling.stream()
                            .filter(document ->
                                    document.of(subject).stream().anyMatch(other -> other.type() == value.type()))
                            .count(),
                    telling.size()));
            token(subject, value, telling).ifPresent(leads::add);
            measure(subject, value, telling).ifPresent(leads::add);
        }
        return leads.stream().min(Comparator.comparingDouble(Lead::chance));
    }

    private Lead counted(Subject subject, Trait trait, long having, long of) {
        return lead(subject, trait, having, of, (having + 1.0) / (of + 1.0));
    }

    private Lead lead(Subject subject, Trait trait, long having, long of, double chance) {
        Share shares = new Share(having, of, handled.size() - of);
        return new Lead(new Difference(subject, trait, new Share(1, 1, 0), shares), chance);
    }

    /** The chance is the share of documents whose value is as rare as the letter's value. */
    private Optional<Lead> token(Subject subject, Value value, List<EventDocument> telling) {
        if (value.token().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Integer> counts = new HashMap<>();
        counts.put(value.token(), 1);
        int of = 0;
        for (EventDocument document : telling) {
            if (document.of(subject).size() == 1) {
                counts.merge(document.of(subject).get(0).token(), 1, Integer::sum);
                of++;
            }
        }
        int mine = counts.getOrDefault(value.token(), 1);
        long asRare = counts.values().stream()
                .filter(count -> count <= mine)
                .mapToLong(Integer::longValue)
                .sum();
        return Optional.of(
                lead(subject, new Trait(Trait.Kind.EQUALS, value.token()), mine - 1L, of, asRare / (of + 1.0)));
    }

    /** The chance is the share of documents whose number is as far out, on either side. */
    private Optional<Lead> measure(Subject subject, Value value, List<EventDocument> telling) {
        List<Measured> others = new ArrayList<>();
        for (EventDocument document : telling) {
            List<Value> values = document.of(subject);
            if (values.size() == 1 && values.get(0).type() == value.type()) {
                others.add(new Measured(values.get(0).measure(), SubjectTally.HANDLED, document.at()));
            }
        }
        if (Double.isNaN(value.measure()) || SubjectTally.followsTime(others)) {
            return Optional.empty();
        }
        long above = others.stream()
                .filter(other -> other.measure() >= value.measure())
                .count();
        long below = others.stream()
                .filter(other -> other.measure() <= value.measure())
                .count();
        boolean high = above <= below;
        double chance = 2 * (Math.min(above, below) + 1.0) / (others.size() + 1.0);
        // The statement names the nearest lower number.
        double limit = others.stream()
                .mapToDouble(Measured::measure)
                .filter(other -> other < value.measure())
                .max()
                .orElse(value.measure());
        Trait trait = high
                ? new Trait(SubjectTally.aboveOf(value.type()), SubjectTally.shown(limit))
                : new Trait(SubjectTally.atMostOf(value.type()), SubjectTally.shown(value.measure()));
        return Optional.of(lead(subject, trait, high ? above : below, others.size(), Math.min(1, chance)));
    }
}
