package io.redrive.items.run;

import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a worker says about a call: one outcome for each sample, or how the call failed for all of them, or neither when it
 * was interrupted from outside.
 *
 * @param askedToWait the longest time that a server asked for; zero when none did. Found out once, by the worker: what an
 *     exception answers may depend on when it is asked, and the lane counts on both sides of it being told the same.
 * @param spent what the call cost; empty for a stage without a cost limit, and when no call was made
 */
record Handled(
        Lane lane,
        List<Sample> samples,
        List<StageOutcome<byte[]>> outcomes,
        Failure failure,
        Instant began,
        Duration took,
        Duration askedToWait,
        Optional<StageSpending> spent) {

    Handled(
            Lane lane,
            List<Sample> samples,
            List<StageOutcome<byte[]>> outcomes,
            Failure failure,
            Instant began,
            Duration took) {
        this(
                lane,
                samples,
                outcomes,
                failure,
                began,
                took,
                longestHint(lane.stage.policy(), outcomes, failure),
                Optional.empty());
    }

    Handled costing(StageSpending cost) {
        return new Handled(lane, samples, outcomes, failure, began, took, askedToWait, Optional.of(cost));
    }

    boolean isInterrupted() {
        return outcomes == null && failure == null;
    }

    StageOutcome<byte[]> outcome(int index) {
        return outcomes == null ? StageOutcome.failed(failure) : outcomes.get(index);
    }

    /** True when the call failed for several samples, and not each of them need be at fault. */
    boolean failedTogether() {
        return outcomes == null && samples.size() > 1;
    }

    private static Duration longestHint(RetryPolicy policy, List<StageOutcome<byte[]>> outcomes, Failure failure) {
        Duration longest = failure == null ? Duration.ZERO : hintOf(policy, failure);
        if (outcomes != null) {
            for (StageOutcome<byte[]> outcome : outcomes) {
                if (outcome instanceof StageOutcome.Failed<byte[]> failed) {
                    Duration hint = hintOf(policy, failed.failure());
                    longest = hint.compareTo(longest) > 0 ? hint : longest;
                }
            }
        }
        return longest;
    }

    private static Duration hintOf(RetryPolicy policy, Failure failure) {
        Duration hint = policy.retryAfter(failure).orElse(Duration.ZERO);
        return hint.isNegative() ? Duration.ZERO : hint;
    }
}
