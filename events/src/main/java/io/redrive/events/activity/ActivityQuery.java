package io.redrive.events.activity;

import java.time.Duration;
import java.time.Instant;

/**
 * A question about the activity of a store.
 *
 * <pre>{@code
 * NamePattern orders = new NamePattern("order.*");
 * ActivityQuery lastHour = ActivityQuery.last(Duration.ofHours(1), now).named(orders.lowest(), orders.beyond());
 * }</pre>
 *
 * @param period reads the minutes or the hours that the store keeps
 * @param from the beginning of the first slice, which is the beginning of a period
 * @param until the end of the last slice, exclusive
 * @param step the length of a slice: a whole number of periods
 * @param lowest reads names from this text on, in the order of character codes
 * @param beyond reads names below this text
 */
public record ActivityQuery(
        ActivityPeriod period, Instant from, Instant until, Duration step, String lowest, String beyond) {

    /** The most slices of an answer: more than 48 hours have minutes, and more than 60 days have hours. */
    public static final int MAX_SLICES = 3_000;

    /** Above all names, and above {@link NameActivity#OTHER}. */
    private static final String BEYOND_ALL = "~";

    /**
     * Checks times and step.
     *
     * @throws IllegalArgumentException if the query has no slice, too many slices, or slices that divide a period
     */
    public ActivityQuery {
        if (!period.startOf(from).equals(from)) {
            throw new IllegalArgumentException(
                    "from must be the beginning of a period of " + period.length() + ", got " + from);
        }
        if (!until.isAfter(from)) {
            throw new IllegalArgumentException("until must be after from, got " + from + " to " + until);
        }
        if (step.isNegative()
                || step.isZero()
                || !step.equals(period.length().multipliedBy(step.dividedBy(period.length())))) {
            throw new IllegalArgumentException(
                    "step must be a whole number of periods of " + period.length() + ", got " + step);
        }
        if (slices(from, until, step) > MAX_SLICES) {
            throw new IllegalArgumentException("a query must have at most " + MAX_SLICES + " slices, got "
                    + slices(from, until, step) + "; take a longer step or a later from");
        }
    }

    /** Asks for all names, with a slice for each period. */
    public ActivityQuery(ActivityPeriod period, Instant from, Instant until) {
        this(period, from, until, period.length(), "", BEYOND_ALL);
    }

    /**
     * Asks for the time from {@code since} before {@code now} on, by the minute if the store has minutes that old, else
     * by the hour; with a slice for each.
     *
     * @throws IllegalArgumentException if the time is shorter than a minute or longer than a store keeps
     */
    public static ActivityQuery last(Duration since, Instant now) {
        if (since.compareTo(ActivityPeriod.MINUTE.length()) < 0 || since.compareTo(ActivityPeriod.HOUR.kept()) > 0) {
            throw new IllegalArgumentException("activity is kept for "
                    + ActivityPeriod.HOUR.kept().toDays() + " days and counted by the minute; since must be between 1"
                    + " minute and " + ActivityPeriod.HOUR.kept().toDays() + " days, got " + since);
        }
        ActivityPeriod period =
                since.compareTo(ActivityPeriod.MINUTE.kept()) > 0 ? ActivityPeriod.HOUR : ActivityPeriod.MINUTE;
        return new ActivityQuery(period, period.startOf(now.minus(since)), now);
    }

    /** Asks for the names from {@code lowest} on and below {@code beyond}, which a name pattern tells. */
    public ActivityQuery named(String lowest, String beyond) {
        return new ActivityQuery(period, from, until, step, lowest, beyond);
    }

    /** Returns true when the query asks for this name. */
    public boolean includes(String name) {
        return name.compareTo(lowest) >= 0 && name.compareTo(beyond) < 0;
    }

    /** Asks for the shortest slices of which there are at most {@code most}. */
    public ActivityQuery inSlices(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a query must have at least 1 slice, got " + most);
        }
        Duration whole = Duration.between(from, until);
        long periods = 1;
        while (whole.compareTo(period.length().multipliedBy(periods).multipliedBy(most)) > 0) {
            periods++;
        }
        return new ActivityQuery(period, from, until, period.length().multipliedBy(periods), lowest, beyond);
    }

    /** Returns the number of slices. */
    public int slices() {
        return (int) slices(from, until, step);
    }

    /** Returns the beginning of a slice, counted from 0. */
    Instant startOf(int slice) {
        return from.plus(step.multipliedBy(slice));
    }

    /** Returns the number of the slice that contains the period that begins at {@code start}. */
    int sliceOf(Instant start) {
        return (int) Duration.between(from, start).dividedBy(step);
    }

    private static long slices(Instant from, Instant until, Duration step) {
        Duration whole = Duration.between(from, until);
        long full = whole.dividedBy(step);
        return step.multipliedBy(full).equals(whole) ? full : full + 1;
    }
}
