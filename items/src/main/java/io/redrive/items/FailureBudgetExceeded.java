package io.redrive.items;

import java.util.Locale;

/** Too many samples of a run died; the run stopped and can be resumed once the cause is gone. */
public final class FailureBudgetExceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String run;
    private final long processed;
    private final long dead;

    FailureBudgetExceeded(String run, long processed, long dead, FailureBudget budget) {
        super(String.format(
                Locale.ROOT,
                "run '%s' stopped: %d of %d processed samples died (%.1f %%), the budget is %.1f %%; look at its most"
                        + " common errors, fix the cause, then resume it",
                run,
                dead,
                processed,
                100.0 * dead / Math.max(1, processed),
                100.0 * budget.share()));
        this.run = run;
        this.processed = processed;
        this.dead = dead;
    }

    /** The run that stopped. */
    public String run() {
        return run;
    }

    /** How many samples had been processed. */
    public long processed() {
        return processed;
    }

    /** How many of them died. */
    public long dead() {
        return dead;
    }
}
