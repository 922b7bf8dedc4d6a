package io.redrive.items.run;

import io.redrive.core.Failure;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.StageOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The first calls of a stage, until a call succeeds. A call counts as failed when all samples of the call failed, retried or
 * not: waiting for the samples to die would cost every attempt. Skipped samples do not count. Neither does a call after which
 * the server asked for time: such a server is alive.
 *
 * <p>The stop needs a failure that ended a sample by the stage's policy: a service down for a moment is left to the policy.
 * Used by the coordinator only.
 */
final class FirstCalls {

    private final String stage;
    private boolean succeeded;
    private boolean alike = true;
    private boolean gaveUp;
    private long failed;
    private @Nullable Failure last;

    FirstCalls(String stage) {
        this.stage = stage;
    }

    /** A call ended; {@code givenUp} when the policy gave up on a sample of it. */
    void ended(CallResult call, boolean givenUp) {
        if (succeeded || !alike || !call.askedToWait().isZero()) {
            return;
        }
        Failure common = null;
        for (int i = 0; i < call.samples().size(); i++) {
            StageOutcome<byte[]> outcome = call.outcome(i);
            succeeded |= outcome instanceof StageOutcome.Value<byte[]>;
            if (outcome instanceof StageOutcome.Failed<byte[]> one) {
                alike &= common == null || common.type().equals(one.failure().type());
                common = one.failure();
            }
        }
        if (common != null) {
            alike &= last == null || last.type().equals(common.type());
            last = common;
            gaveUp |= givenUp;
            failed++;
        }
    }

    /** Returns why run {@code run} stops when {@code limit} calls failed alike and none succeeded; null otherwise. */
    @Nullable
    StageNeverSucceeded stop(String run, int limit) {
        return failed >= limit && gaveUp && alike && !succeeded && last != null
                ? new StageNeverSucceeded(run, stage, failed, last.type(), last.message())
                : null;
    }
}
