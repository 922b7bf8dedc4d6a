package io.redrive.items;

import java.util.Locale;

/**
 * Thrown by a run that stopped because its dead samples exceeded the {@link FailureBudget}. The run can be resumed after the
 * cause is fixed.
 */
public final class FailureBudgetExceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String run;
    private final long tried;
    private final long dead;

    /** Called by a run. */
    public FailureBudgetExceeded(String run, long tried, long dead, FailureBudget budget) {
        super(String.format(
                Locale.ROOT,
                "run '%s' stopped: %d of %d samples that were not skipped died (%.1f %%), the budget is %.1f %%; look at its most"
                        + " common errors, fix the cause, then resume it",
                run,
                dead,
                tried,
                100.0 * dead / Math.max(1, tried),
                100.0 * budget.share()));
        this.run = run;
        this.tried = tried;
        this.dead = dead;
    }

    /** Returns the id of the run that stopped. */
    public String run() {
        return run;
    }

    /** Returns how many samples had succeeded or died; skipped samples do not count. */
    public long tried() {
        return tried;
    }

    /** Returns how many of the tried samples died. */
    public long dead() {
        return dead;
    }
}
