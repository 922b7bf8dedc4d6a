package io.redrive.items.store;

import java.time.Duration;

/**
 * What happened at a stage of a run.
 *
 * @param stage its name
 * @param succeeded attempts that gave a value
 * @param retried attempts that failed and were followed by another
 * @param failed attempts that failed for good
 * @param skipped attempts that let the sample go no further
 * @param time how long all attempts took together
 * @param percentiles how long most attempts took
 */
public record StageCounts(
        String stage, long succeeded, long retried, long failed, long skipped, Duration time, Percentiles percentiles) {

    /** All attempts. */
    public long attempts() {
        return succeeded + retried + failed + skipped;
    }

    /** The share of attempts that did not fail; 1 when there were none. */
    public double reliability() {
        return attempts() == 0 ? 1 : (double) (succeeded + skipped) / attempts();
    }

    /** The mean time of an attempt; zero when there were none. */
    public Duration meanTime() {
        return attempts() == 0 ? Duration.ZERO : time.dividedBy(attempts());
    }
}
