package io.redrive.items;

import java.util.List;

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
    /** How many samples were tried at the last look; samples tried before this process joined are not looked at. */
    private long checked = -1;

    private FailureBudgetExceeded exceeded;

    /** Ended here and not in the store's counts yet. */
    private long newSucceeded;

    private long newSkipped;
    private long newDead;

    Tally(String run, FailureBudget budget) {
        this.run = run;
        this.budget = budget;
    }

    void stored(Totals totals) {
        succeeded = totals.succeeded();
        skipped = totals.skipped();
        dead = totals.dead();
        look();
    }

    void ended(SampleState state) {
        if (state == SampleState.SUCCEEDED) {
            newSucceeded++;
        } else if (state == SampleState.SKIPPED) {
            newSkipped++;
        } else {
            newDead++;
        }
        look();
    }

    /** Also when the count jumped because others are at work: each of them may see only a part of a thousand happen. */
    private void look() {
        long tried = tried();
        boolean isTime = checked >= 0 && tried / budget.every() > checked / budget.every();
        if (isTime && exceeded == null && budget.isExceededBy(dead(), tried)) {
            exceeded = new FailureBudgetExceeded(run, tried, dead(), budget);
        }
        checked = tried;
    }

    void retried() {
        retries++;
    }

    /** These are in the store's counts now. */
    void written(List<Commit.Change> changes, Totals totals) {
        for (Commit.Change change : changes) {
            switch (change.sample().state()) {
                case SUCCEEDED -> newSucceeded--;
                case SKIPPED -> newSkipped--;
                case DEAD -> newDead--;
                case READY -> {}
            }
        }
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

    /** Samples that have their end and were not skipped: the only samples that the failure budget counts. */
    long tried() {
        return succeeded() + dead();
    }

    /** What to say once it was time to look and too many had died; null before. */
    FailureBudgetExceeded budgetExceeded() {
        return exceeded;
    }

    long retries() {
        return retries;
    }
}
