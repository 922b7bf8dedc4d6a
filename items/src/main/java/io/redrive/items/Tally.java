package io.redrive.items;

/**
 * The counts of the run as this process sees them at this moment: what the store said at the last commit, and what has
 * ended here since. Used by the coordinator only.
 */
final class Tally {

    private final String run;
    private final FailureBudget budget;
    private long succeeded;
    private long skipped;
    private long dead;
    private long retries;
    private long checked;
    private FailureBudgetExceeded exceeded;

    /** Ended here and not in the store's counts yet. */
    private long newSucceeded;

    private long newSkipped;
    private long newDead;

    /** Of them, those that are in the page being written. */
    private long writtenSucceeded;

    private long writtenSkipped;
    private long writtenDead;

    Tally(String run, FailureBudget budget) {
        this.run = run;
        this.budget = budget;
    }

    void stored(Totals totals) {
        succeeded = totals.succeeded();
        skipped = totals.skipped();
        dead = totals.dead();
        checked = Math.max(checked, totals.processed());
    }

    void ended(SampleState state) {
        if (state == SampleState.SUCCEEDED) {
            newSucceeded++;
        } else if (state == SampleState.SKIPPED) {
            newSkipped++;
        } else {
            newDead++;
        }
        long processed = processed();
        if (processed / budget.every() > checked / budget.every()) {
            if (exceeded == null && budget.isExceededBy(dead(), processed)) {
                exceeded = new FailureBudgetExceeded(run, processed, dead(), budget);
            }
        }
        checked = processed;
    }

    void retried() {
        retries++;
    }

    void writing() {
        writtenSucceeded = newSucceeded;
        writtenSkipped = newSkipped;
        writtenDead = newDead;
    }

    void written(Totals totals) {
        newSucceeded -= writtenSucceeded;
        newSkipped -= writtenSkipped;
        newDead -= writtenDead;
        stored(totals);
    }

    long succeeded() {
        return succeeded + newSucceeded;
    }

    long skipped() {
        return skipped + newSkipped;
    }

    long dead() {
        return dead + newDead;
    }

    long processed() {
        return succeeded() + skipped() + dead();
    }

    /** What to say once it was time to look and too many had died; null before. */
    FailureBudgetExceeded budgetExceeded() {
        return exceeded;
    }

    long retries() {
        return retries;
    }
}
