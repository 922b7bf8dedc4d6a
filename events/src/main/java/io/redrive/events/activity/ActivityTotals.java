package io.redrive.events.activity;

/**
 * Counts and durations of one name, of one stretch of time, or of a whole store.
 *
 * @param counts what happened to events
 * @param handlerTime the duration of each attempt; events of a batch have the duration of the handler's call each
 * @param latency the time from the due time of an event until the event was done; without events that were redriven,
 *     whose time as a dead letter is no latency
 */
public record ActivityTotals(ActivityCounts counts, DurationHistogram handlerTime, DurationHistogram latency) {

    /** No activity. */
    public static final ActivityTotals NONE =
            new ActivityTotals(ActivityCounts.NONE, DurationHistogram.EMPTY, DurationHistogram.EMPTY);

    /** Returns the sum of both. */
    public ActivityTotals plus(ActivityTotals other) {
        return new ActivityTotals(
                counts.plus(other.counts), handlerTime.plus(other.handlerTime), latency.plus(other.latency));
    }
}
