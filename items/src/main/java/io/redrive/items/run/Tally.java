package io.redrive.items.run;

import io.redrive.items.FailureBudget;
import io.redrive.items.FailureBudgetExceeded;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.store.Commit;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.Totals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of the run as this process sees them at this moment: what the store said at the last commit, and what has
 * ended here since. Used by the coordinator only.
 */
final class Tally {

    private final String run;
    private final FailureBudget budget;
    private final int earlyStop;
    private final Map<String, FirstCalls> firstCalls = new HashMap<>();
    private long succeeded;
    private long skipped;
    private long dead;
    private long retries;
    /** How many samples were tried at the last look; samples tried before this process joined are not looked at. */
    private long checked = -1;

    private Halt halt;

    /** Ended here and not in the store's counts yet. */
    private long newSucceeded;

    private long newSkipped;
    private long newDead;

    Tally(String run, FailureBudget budget, int earlyStop) {
        this.run = run;
        this.budget = budget;
        this.earlyStop = earlyStop;
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
        if (isTime && halt == null && budget.isExceededBy(dead(), tried)) {
            halt = budgetExceeded();
        }
        checked = tried;
    }

    /** Why the run is to stop when too many samples died, as this process or another one found. */
    Halt budgetExceeded() {
        return Halt.because(RunStatus.BUDGET_EXCEEDED, new FailureBudgetExceeded(run, tried(), dead(), budget));
    }

    /** A call ended; once a sample of the run has succeeded, here or elsewhere, every stage has. */
    void called(Handled handled, boolean givenUp) {
        if (earlyStop == 0 || halt != null || succeeded() > 0) {
            return;
        }
        FirstCalls calls = firstCalls.computeIfAbsent(handled.lane().stage.name(), FirstCalls::new);
        calls.ended(handled, givenUp);
        StageNeverSucceeded stop = calls.stop(run, earlyStop);
        if (stop != null) {
            halt = Halt.because(RunStatus.STOPPED, stop);
        }
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

    /** Why the run is to stop: too many samples died, or a stage never succeeded; null when there is no reason. */
    Halt halt() {
        return halt;
    }

    long retries() {
        return retries;
    }
}
