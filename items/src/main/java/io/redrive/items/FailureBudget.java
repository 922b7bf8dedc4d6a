package io.redrive.items;

/**
 * How many samples may die before the run stops: the share of dead samples among all tried so far, checked each time another
 * {@code every} were tried. A sample is tried once it has succeeded or died; skipped samples do not count, so a filter hides no
 * failure. A systematic fault (a bad key, a broken stage) shows after the first thousand and not after a hundred thousand.
 *
 * @param share the most that may have died, from 0 to 1; 10 % by default
 * @param every how often to look; each 1,000 by default
 */
public record FailureBudget(double share, int every) {

    /** 10 %, looked at every 1,000. */
    public static final FailureBudget STANDARD = new FailureBudget(0.10, 1_000);

    /** Refuses what is no share, and never to look. */
    public FailureBudget {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("failure budget must be between 0 and 1, got " + share);
        }
        if (every < 1) {
            throw new IllegalArgumentException("failure budget must be looked at every 1 or more, got " + every);
        }
    }

    /** Another share, looked at every 1,000. */
    public static FailureBudget of(double share) {
        return STANDARD.withShare(share);
    }

    /** Never stops a run. */
    public static FailureBudget unlimited() {
        return of(1);
    }

    /** Another share. */
    public FailureBudget withShare(double value) {
        return new FailureBudget(value, every);
    }

    /** Looked at each time another {@code samples} were tried. */
    public FailureBudget checkedEvery(int samples) {
        return new FailureBudget(share, samples);
    }

    /** Returns true when more than the share of the tried samples died. */
    public boolean isExceededBy(long dead, long tried) {
        return Share.compare(dead, share, tried) > 0;
    }
}
