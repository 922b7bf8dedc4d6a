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
import org.jspecify.annotations.Nullable;

/**
 * The counts of the run as this process knows them: the store's counts at the last commit, plus the samples that have ended
 * here since. Says when the counts stop the run: the failure budget is exceeded, or a stage never succeeded. Used by the
 * coordinator only.
 */
final class RunCounts {

    private final String run;
    private final FailureBudget budget;
    private final int earlyStop;
    private final Map<String, FirstCalls> firstCalls = new HashMap<>();

    // ---- In the store ----

    private long storedSucceeded;
    private long storedSkipped;
    private long storedDead;

    // ---- Ended here and not in the store's counts yet ----

    private long newSucceeded;
    private long newSkipped;
    private long newDead;

    private long retries;
    /** Tried samples at the last check of the budget; negative until the store was asked: earlier samples are not checked. */
    private long checked = -1;

    private @Nullable Halt halt;

    RunCounts(String run, FailureBudget budget, int earlyStop) {
        this.run = run;
        this.budget = budget;
        this.earlyStop = earlyStop;
    }

    /** The store has these counts. */
    void stored(Totals totals) {
        storedSucceeded = totals.succeeded();
        storedSkipped = totals.skipped();
        storedDead = totals.dead();
        checkBudget();
    }

    /** A sample has its end. */
    void ended(SampleState state) {
        add(state, 1);
        checkBudget();
    }

    /** The store has these changes now, and these counts. */
    void written(List<Commit.Change> changes, Totals totals) {
        for (Commit.Change change : changes) {
            add(change.sample().state(), -1);
        }
        stored(totals);
    }

    private void add(SampleState state, int samples) {
        switch (state) {
            case SUCCEEDED -> newSucceeded += samples;
            case SKIPPED -> newSkipped += samples;
            case DEAD -> newDead += samples;
            case READY -> {}
        }
    }

    /** Checks the budget whenever a multiple of its interval is passed, also by samples that ended in other processes. */
    private void checkBudget() {
        long tried = tried();
        boolean isTime = checked >= 0 && tried / budget.every() > checked / budget.every();
        if (isTime && halt == null && budget.isExceededBy(dead(), tried)) {
            halt = budgetExceeded();
        }
        checked = tried;
    }

    /** Why the run stops when too many samples died, as this process or another one found. */
    Halt budgetExceeded() {
        return Halt.because(RunStatus.BUDGET_EXCEEDED, new FailureBudgetExceeded(run, tried(), dead(), budget));
    }

    /** A call was settled. Once a sample of the run has succeeded, in any process, every stage has. */
    void called(CallResult call, boolean gaveUp) {
        if (earlyStop == 0 || halt != null || succeeded() > 0) {
            return;
        }
        FirstCalls calls = firstCalls.computeIfAbsent(call.lane().stage.name(), FirstCalls::new);
        calls.ended(call, gaveUp);
        StageNeverSucceeded stop = calls.stop(run, earlyStop);
        if (stop != null) {
            halt = Halt.because(RunStatus.STOPPED, stop);
        }
    }

    void retried() {
        retries++;
    }

    long succeeded() {
        return storedSucceeded + newSucceeded;
    }

    long skipped() {
        return storedSkipped + newSkipped;
    }

    long dead() {
        return storedDead + newDead;
    }

    /** Samples that have succeeded or died: the only samples that the failure budget counts. */
    long tried() {
        return succeeded() + dead();
    }

    /** Why the counts stop the run; null while they do not. */
    @Nullable
    Halt halt() {
        return halt;
    }

    /** Retries that this process has decided on. */
    long retries() {
        return retries;
    }
}
