package io.redrive.events.activity;

/**
 * Counts of what happened to events.
 *
 * @param published events that a store accepted
 * @param duplicates events that a store dropped, because they had been published before
 * @param done events that were handled
 * @param retried failed attempts whose events are tried again
 * @param dead events that became dead letters
 * @param batches handled batches; an event that is handled alone is a batch too
 * @param batchTimeouts batches in which at least one event ran into the time limit
 */
public record ActivityCounts(
        long published, long duplicates, long done, long retried, long dead, long batches, long batchTimeouts) {

    /** Counts of zero. */
    public static final ActivityCounts NONE = new ActivityCounts(0, 0, 0, 0, 0, 0, 0);

    /**
     * Checks the counts.
     *
     * @throws IllegalArgumentException if a count is negative
     */
    public ActivityCounts {
        require("published", published);
        require("duplicates", duplicates);
        require("done", done);
        require("retried", retried);
        require("dead", dead);
        require("batches", batches);
        require("batchTimeouts", batchTimeouts);
    }

    /** Returns the sum of both. */
    public ActivityCounts plus(ActivityCounts other) {
        return new ActivityCounts(
                Saturated.sum(published, other.published),
                Saturated.sum(duplicates, other.duplicates),
                Saturated.sum(done, other.done),
                Saturated.sum(retried, other.retried),
                Saturated.sum(dead, other.dead),
                Saturated.sum(batches, other.batches),
                Saturated.sum(batchTimeouts, other.batchTimeouts));
    }

    /** Returns the number of attempts that ended: done, retried or dead. */
    public long attempts() {
        return Saturated.sum(Saturated.sum(done, retried), dead);
    }

    /** Returns the number of events in publish calls, with duplicates. */
    public long offered() {
        return Saturated.sum(published, duplicates);
    }

    /** Returns retries as a share of all attempts that ended; zero without attempts. */
    public double retryRate() {
        return share(retried, attempts());
    }

    /** Returns batches that ran into the time limit as a share of all batches; zero without batches. */
    public double batchTimeoutRate() {
        return share(batchTimeouts, batches);
    }

    /** Returns duplicates as a share of all events in publish calls; zero without events. */
    public double dedupRate() {
        return share(duplicates, offered());
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private static void require(String what, long count) {
        if (count < 0) {
            throw new IllegalArgumentException(what + " must be at least 0, got " + count);
        }
    }
}
