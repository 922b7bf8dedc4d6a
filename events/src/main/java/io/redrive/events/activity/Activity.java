package io.redrive.events.activity;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The answer to an {@link ActivityQuery}: the activity of all nodes together.
 *
 * @param query the question
 * @param total the activity of the whole time and all names of the query
 * @param slices the activity of all names by time: every slice of the query, in order
 * @param names the activity of the whole time by name, most attempts first; at most {@link ActivityLog#MAX_NAMES} names,
 *     the rest as {@link NameActivity#OTHER}
 */
public record Activity(ActivityQuery query, ActivityTotals total, List<Slice> slices, List<OfName> names) {

    private static final Comparator<OfName> BUSIEST_FIRST = Comparator.<OfName>comparingLong(
                    each -> each.totals().counts().attempts())
            .thenComparingLong(each -> each.totals().counts().offered())
            .reversed()
            .thenComparing(OfName::name);

    /** Copies the lists. */
    public Activity {
        slices = List.copyOf(slices);
        names = List.copyOf(names);
    }

    /**
     * Returns the activity of this time and of the time after it.
     *
     * @param later the answer to the same question about the time that begins where this time ends
     * @throws IllegalArgumentException when {@code later} begins at another time, or asks about other names or slices
     */
    public Activity followedBy(Activity later) {
        ActivityQuery next = later.query();
        ActivityQuery both = new ActivityQuery(
                query.period(), query.from(), next.until(), query.step(), query.lowest(), query.beyond());
        if (!next.equals(new ActivityQuery(
                query.period(), query.until(), next.until(), query.step(), query.lowest(), query.beyond()))) {
            throw new IllegalArgumentException("later activity must begin at " + query.until()
                    + " and have the same names and slices, got the answer to " + next);
        }
        List<Slice> all = new ArrayList<>(slices);
        all.addAll(later.slices);
        Map<String, OfName> joined = new HashMap<>();
        names.forEach(each -> joined.put(
                each.name(), new OfName(each.name(), each.totals(), joined(each.done(), zeros(later.slices.size())))));
        for (OfName each : later.names) {
            int named = joined.size() - (joined.containsKey(NameActivity.OTHER) ? 1 : 0);
            boolean room = joined.containsKey(each.name()) || named < ActivityLog.MAX_NAMES;
            String name = room ? each.name() : NameActivity.OTHER;
            joined.merge(
                    name, new OfName(name, each.totals(), joined(zeros(slices.size()), each.done())), OfName::plus);
        }
        List<OfName> byName = new ArrayList<>(joined.values());
        byName.sort(BUSIEST_FIRST);
        return new Activity(both, total.plus(later.total), all, byName);
    }

    private static List<Long> joined(List<Long> first, List<Long> second) {
        List<Long> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    private static List<Long> zeros(int number) {
        return Collections.nCopies(number, 0L);
    }

    /** The activity of all names in one slice of time, which begins at {@code start}. */
    public record Slice(Instant start, ActivityTotals totals) {}

    /**
     * The activity of one name.
     *
     * @param name an event name, or {@link NameActivity#OTHER}
     * @param totals the activity of the whole time
     * @param done the number of events that were done, by slice
     */
    public record OfName(String name, ActivityTotals totals, List<Long> done) {

        /** Copies the list. */
        public OfName {
            done = List.copyOf(done);
        }

        /** Returns the sum of both, under the name of this one. */
        private OfName plus(OfName other) {
            List<Long> sums = new ArrayList<>(done);
            for (int i = 0; i < sums.size(); i++) {
                sums.set(i, Saturated.sum(sums.get(i), other.done.get(i)));
            }
            return new OfName(name, totals.plus(other.totals), sums);
        }
    }

    /**
     * Adds up what stores read, in bounded memory: a store passes each row on and keeps none. Not thread-safe.
     */
    public static final class Builder {

        private final ActivityQuery query;
        private final ActivitySum total = new ActivitySum();
        private final ActivitySum[] slices;
        private final Map<String, NameSum> names = new HashMap<>();

        /** The sum of a name, and its handled events by slice. */
        private record NameSum(ActivitySum sum, long[] done) {}

        /** Starts the answer to {@code query}. */
        public Builder(ActivityQuery query) {
            this.query = query;
            slices = new ActivitySum[query.slices()];
        }

        /** Adds the activity of a name in one period of one node. */
        public Builder add(Instant start, NameActivity activity) {
            int slice = query.sliceOf(start);
            if (slices[slice] == null) {
                slices[slice] = new ActivitySum();
            }
            slices[slice].add(activity.totals());
            total.add(activity.totals());
            NameSum sum = names.get(activity.name());
            if (sum == null) {
                // The sum of other names is not counted as a name.
                int named = names.size() - (names.containsKey(NameActivity.OTHER) ? 1 : 0);
                String name = named < ActivityLog.MAX_NAMES ? activity.name() : NameActivity.OTHER;
                sum = names.computeIfAbsent(name, unused -> new NameSum(new ActivitySum(), new long[slices.length]));
            }
            sum.sum().add(activity.totals());
            sum.done()[slice] =
                    Saturated.sum(sum.done()[slice], activity.totals().counts().done());
            return this;
        }

        /** Returns the answer. */
        public Activity build() {
            List<Slice> byTime = new ArrayList<>(slices.length);
            for (int i = 0; i < slices.length; i++) {
                byTime.add(new Slice(query.startOf(i), slices[i] == null ? ActivityTotals.NONE : slices[i].build()));
            }
            List<OfName> byName = new ArrayList<>(names.size());
            names.forEach((name, sum) -> byName.add(new OfName(
                    name, sum.sum().build(), LongStream.of(sum.done()).boxed().toList())));
            byName.sort(BUSIEST_FIRST);
            return new Activity(query, total.build(), byTime, byName);
        }
    }
}
