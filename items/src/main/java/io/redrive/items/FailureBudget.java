package io.redrive.items;

/**
 * The share of dead samples at which a run stops. The run compares the dead samples with all tried samples after every
 * {@code every} tried samples. A sample is tried when it has succeeded or died; skipped samples do not count, so that a filter
 * cannot hide failures. A systematic fault, such as a wrong key, stops the run after the first 1,000 samples rather than after
 * 100,000. Immutable.
 *
 * @param share the maximum share of dead samples, from 0 to 1; 10 % by default
 * @param every the number of tried samples between checks; 1,000 by default
 */
public record FailureBudget(double share, int every) {

    /** At most 10 %, checked after every 1,000 samples. */
    public static final FailureBudget STANDARD = new FailureBudget(0.10, 1_000);

    /** Refuses a share outside 0 to 1, and an interval below 1. */
    public FailureBudget {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("failure budget must be between 0 and 1, got " + share);
        }
        if (every < 1) {
            throw new IllegalArgumentException(
                    "failure budget must be checked after every 1 or more samples, got " + every);
        }
    }

    /** Returns a budget with this share, checked every 1,000 samples. */
    public static FailureBudget of(double share) {
        return STANDARD.withShare(share);
    }

    /** Returns a budget that never stops a run. */
    public static FailureBudget unlimited() {
        return of(1);
    }

    /** Returns this budget with another share. */
    public FailureBudget withShare(double value) {
        return new FailureBudget(value, every);
    }

    /** Returns this budget, checked after every {@code samples} tried samples. */
    public FailureBudget checkedEvery(int samples) {
        return new FailureBudget(share, samples);
    }

    /** Returns true when the dead samples exceed the share of the tried samples. */
    public boolean isExceededBy(long dead, long tried) {
        return Share.compare(dead, share, tried) > 0;
    }
}
