package io.redrive.operations.difference;

import io.redrive.operations.difference.Value.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the values of one subject on both sides. Side 0 are the letters, side 1 the handled events. */
final class SubjectTally {

    static final int LETTERS = 0;
    static final int HANDLED = 1;

    /** A number that goes up or down with time as regularly as this is a counter or a clock. */
    private static final double FOLLOWS_TIME = 0.95;

    private static final int FEWEST_TO_FOLLOW = 5;

    /** Multiples of the size of a side. */
    private static final double[] FACTORS = {0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5};

    private final Subject subject;
    private final boolean single;
    private final int[] present = new int[2];
    private final int[] presentInIncomplete = new int[2];
    private final Map<String, int[]> equal = new HashMap<>();
    private final Map<Type, int[]> typed = new EnumMap<>(Type.class);
    private final Map<Type, List<Measured>> measured = new EnumMap<>(Type.class);

    /** A document's number, length or number of elements. */
    record Measured(double measure, int side, Instant at) {}

    /** The documents of both sides: all of them, and those that tell of every field. */
    record Sizes(int[] documents, int[] complete) {}

    SubjectTally(Subject subject) {
        this.subject = subject;
        // Below an array a document has many values, and no single number to compare.
        single = !subject.isField() || !(subject.name() + "/").contains("/*/");
    }

    void add(int side, EventDocument document, List<Value> values) {
        present[side]++;
        if (!document.isComplete()) {
            presentInIncomplete[side]++;
        }
        if (values.size() == 1) {
            countToken(side, values.get(0).token());
            countType(side, values.get(0).type());
        } else {
            // A document counts once, however many of its values have the trait.
            values.stream().map(Value::token).distinct().forEach(token -> countToken(side, token));
            values.stream().map(Value::type).distinct().forEach(type -> countType(side, type));
        }
        if (single && values.size() == 1 && !Double.isNaN(values.get(0).measure())) {
            measured.computeIfAbsent(values.get(0).type(), unused -> new ArrayList<>())
                    .add(new Measured(values.get(0).measure(), side, document.at()));
        }
    }

    private void countToken(int side, String token) {
        if (!token.isEmpty()) {
            equal.computeIfAbsent(token, unused -> new int[2])[side]++;
        }
    }

    private void countType(int side, Type type) {
        typed.computeIfAbsent(type, unused -> new int[2])[side]++;
    }

    /** Hands every trait of the subject to {@code tests}. */
    void test(Sizes sizes, TraitTests tests) {
        long[] known = new long[2];
        for (int side = 0; side < 2; side++) {
            known[side] = subject.isField() ? sizes.complete[side] + presentInIncomplete[side] : sizes.documents[side];
        }
        tests.test(subject, Trait.of(Trait.Kind.PRESENT), shares(present, known, sizes));
        equal.forEach((token, counts) ->
                tests.test(subject, new Trait(Trait.Kind.EQUALS, token), shares(counts, known, sizes)));
        typed.forEach((type, counts) ->
                tests.test(subject, new Trait(Trait.Kind.TYPE, type.words), shares(counts, known, sizes)));
        measured.forEach((type, values) -> split(type, values, sizes, tests));
    }

    private static Share[] shares(int[] having, long[] known, Sizes sizes) {
        Share[] shares = new Share[2];
        for (int side = 0; side < 2; side++) {
            shares[side] = new Share(having[side], known[side], sizes.documents[side] - known[side]);
        }
        return shares;
    }

    /**
     * Tests the numbers at which the two sides could separate. Testing every number would drown the few that matter, so only
     * those are tested that have about as many documents above or below as one of the sides has.
     */
    private void split(Type type, List<Measured> values, Sizes sizes, TraitTests tests) {
        List<Measured> sorted = new ArrayList<>(values);
        sorted.sort(Comparator.comparingDouble(Measured::measure));
        long[] of = new long[2];
        sorted.forEach(each -> of[each.side()]++);
        boolean counter = type == Type.NUMBER && followsTime(values);
        Set<Integer> ends = ends(sorted, of);
        int[] below = new int[2];
        for (int i = 0; i < sorted.size(); i++) {
            below[sorted.get(i).side()]++;
            if (ends.contains(i + 1) && !counter) {
                double at = sorted.get(i).measure();
                String shown =
                        type == Type.MOMENT ? Instant.ofEpochSecond((long) at).toString() : shown(at);
                tests.test(subject, new Trait(atMostOf(type), shown), shares(below.clone(), of, sizes));
            }
        }
    }

    /** Returns the numbers of documents below the tested splits; depends on the sizes of the sides and on all values together. */
    private static Set<Integer> ends(List<Measured> sorted, long[] of) {
        Set<Integer> ends = new HashSet<>();
        for (long side : of) {
            for (double factor : FACTORS) {
                int count = (int) Math.round(side * factor);
                addEnd(ends, sorted, count);
                addEnd(ends, sorted, sorted.size() - count);
            }
        }
        return ends;
    }

    /** Adds the nearest end of a run of equal numbers, upwards and downwards. */
    private static void addEnd(Set<Integer> ends, List<Measured> sorted, int count) {
        if (count < 1 || count >= sorted.size()) {
            return;
        }
        double at = sorted.get(count - 1).measure();
        int up = count;
        while (up < sorted.size() && sorted.get(up).measure() == at) {
            up++;
        }
        int down = count;
        while (down > 0 && up > count && sorted.get(down - 1).measure() == at) {
            down--;
        }
        ends.add(up);
        ends.add(down);
        ends.remove(0);
        ends.remove(sorted.size());
    }

    static Trait.Kind atMostOf(Type type) {
        return type == Type.TEXT
                ? Trait.Kind.NOT_LONGER
                : type == Type.ARRAY ? Trait.Kind.NOT_MORE : Trait.Kind.AT_MOST;
    }

    static Trait.Kind aboveOf(Type type) {
        return new Trait(atMostOf(type), "").opposite().kind();
    }

    static String shown(double measure) {
        return measure == Math.rint(measure) && Math.abs(measure) < 1e15
                ? String.valueOf((long) measure)
                : String.valueOf(measure);
    }

    /**
     * Returns true for a counter or a clock within the handled events (Spearman's rank correlation). Letters are older or newer
     * than the sample, so a counter would always separate them.
     */
    static boolean followsTime(List<Measured> values) {
        List<Measured> handled =
                values.stream().filter(each -> each.side() == HANDLED).toList();
        int n = handled.size();
        if (n < FEWEST_TO_FOLLOW) {
            return false;
        }
        double[] byTime = ranks(handled, Comparator.comparing(Measured::at));
        double[] byMeasure = ranks(handled, Comparator.comparingDouble(Measured::measure));
        double mean = (n - 1) / 2.0;
        double together = 0;
        double ofTime = 0;
        double ofMeasure = 0;
        for (int i = 0; i < n; i++) {
            together += (byTime[i] - mean) * (byMeasure[i] - mean);
            ofTime += (byTime[i] - mean) * (byTime[i] - mean);
            ofMeasure += (byMeasure[i] - mean) * (byMeasure[i] - mean);
        }
        return ofTime > 0 && ofMeasure > 0 && Math.abs(together) / Math.sqrt(ofTime * ofMeasure) > FOLLOWS_TIME;
    }

    /** Returns the rank of each value; equal values share the mean of their ranks. */
    private static double[] ranks(List<Measured> values, Comparator<Measured> order) {
        Integer[] sorted = new Integer[values.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = i;
        }
        Arrays.sort(sorted, (one, other) -> order.compare(values.get(one), values.get(other)));
        double[] ranks = new double[sorted.length];
        for (int first = 0; first < sorted.length; ) {
            int end = first + 1;
            while (end < sorted.length && order.compare(values.get(sorted[first]), values.get(sorted[end])) == 0) {
                end++;
            }
            for (int i = first; i < end; i++) {
                ranks[sorted[i]] = (first + end - 1) / 2.0;
            }
            first = end;
        }
        return ranks;
    }
}
