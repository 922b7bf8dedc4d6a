package io.redrive.items.store;

import java.time.Duration;

/**
 * Counts the attempts at a stage of a run.
 *
 * @param stage the name of the stage
 * @param succeeded attempts that returned a value
 * @param retried attempts that failed and were followed by another attempt
 * @param failed attempts that failed and left the sample dead
 * @param skipped attempts that skipped the sample
 * @param time the total duration of all attempts
 * @param percentiles the percentiles of the durations
 */
public record StageCounts(
        String stage, long succeeded, long retried, long failed, long skipped, Duration time, Percentiles percentiles) {

    /** Returns the number of all attempts. */
    public long attempts() {
        return succeeded + retried + failed + skipped;
    }

    /** Returns the share of attempts that did not fail; 1 without attempts. */
    public double reliability() {
        return attempts() == 0 ? 1 : (double) (succeeded + skipped) / attempts();
    }

    /** Returns the mean duration of an attempt; zero without attempts. */
    public Duration meanTime() {
        return attempts() == 0 ? Duration.ZERO : time.dividedBy(attempts());
    }
}
