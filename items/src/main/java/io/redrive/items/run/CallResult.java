package io.redrive.items.run;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The result of one call of a stage, made by the worker and settled by the coordinator: one outcome for each sample
 * ({@link Answered}), one failure of all samples ({@link Threw}), or nothing because the thread was interrupted
 * ({@link Interrupted}). A class with fields and not records with a common part: a call has one object.
 */
abstract sealed class CallResult {

    private final Lane lane;
    private final List<Sample> samples;
    private final Instant began;
    private final Duration took;
    private final Duration askedToWait;
    private final Optional<StageSpending> spent;

    private CallResult(
            Lane lane,
            List<Sample> samples,
            Instant began,
            Duration took,
            Duration askedToWait,
            Optional<StageSpending> spent) {
        this.lane = lane;
        this.samples = samples;
        this.began = began;
        this.took = took;
        this.askedToWait = askedToWait;
        this.spent = spent;
    }

    private CallResult(CallResult call, StageSpending spent) {
        this(call.lane, call.samples, call.began, call.took, call.askedToWait, Optional.of(spent));
    }

    /** The stage gave an outcome for each sample. */
    static CallResult answered(
            Lane lane, List<Sample> samples, List<StageOutcome<byte[]>> outcomes, Instant began, Duration took) {
        return new Answered(lane, samples, outcomes, began, took);
    }

    /** The call failed for all its samples. */
    static CallResult threw(Lane lane, List<Sample> samples, Failure failure, Instant began, Duration took) {
        return new Threw(lane, samples, failure, began, took);
    }

    /** The thread was interrupted, or the run stopped while the call waited for its cost limit. */
    static CallResult interrupted(Lane lane, List<Sample> samples, Instant began, Duration took) {
        return new Interrupted(lane, samples, began, took);
    }

    Lane lane() {
        return lane;
    }

    List<Sample> samples() {
        return samples;
    }

    Instant began() {
        return began;
    }

    Duration took() {
        return took;
    }

    /**
     * Returns the longest time that a server asked for; zero when none did. The worker reads it once: the answer of an exception
     * may change with time, and the lane counts on hearing the same twice.
     */
    Duration askedToWait() {
        return askedToWait;
    }

    /** Returns what the call cost; empty for a stage without a cost limit, and when no call was made. */
    Optional<StageSpending> spent() {
        return spent;
    }

    /** Returns the outcome of the sample at {@code index}; an interrupted call has none. */
    abstract StageOutcome<byte[]> outcome(int index);

    /** Returns what the call tells an adaptive limit: a batch succeeded unless one of its samples failed. */
    AdaptiveLimit.Ending ending() {
        if (this instanceof Interrupted) {
            return AdaptiveLimit.Ending.FAILED;
        }
        AdaptiveLimit.Ending worst = AdaptiveLimit.Ending.SUCCEEDED;
        for (int i = 0; i < samples.size(); i++) {
            if (outcome(i) instanceof StageOutcome.Failed<byte[]> failed) {
                AdaptiveLimit.Ending ending = AdaptiveLimit.Ending.of(failed.failure());
                worst = ending.compareTo(worst) > 0 ? ending : worst;
            }
        }
        return worst;
    }

    /** Returns the same result with what the call cost. */
    abstract CallResult costing(StageSpending cost);

    /** Returns true for one failure of several samples, where a part of the samples may be innocent. */
    boolean failedTogether() {
        return this instanceof Threw && samples.size() > 1;
    }

    /** One outcome for each sample. */
    static final class Answered extends CallResult {
        private final List<StageOutcome<byte[]>> outcomes;

        private Answered(
                Lane lane, List<Sample> samples, List<StageOutcome<byte[]>> outcomes, Instant began, Duration took) {
            super(lane, samples, began, took, longestHint(lane.stage.policy(), outcomes), Optional.empty());
            this.outcomes = outcomes;
        }

        private Answered(Answered call, StageSpending spent) {
            super(call, spent);
            outcomes = call.outcomes;
        }

        @Override
        StageOutcome<byte[]> outcome(int index) {
            return outcomes.get(index);
        }

        @Override
        CallResult costing(StageSpending cost) {
            return new Answered(this, cost);
        }
    }

    /** One failure of all samples. */
    static final class Threw extends CallResult {
        private final StageOutcome<byte[]> outcome;

        private Threw(Lane lane, List<Sample> samples, Failure failure, Instant began, Duration took) {
            super(lane, samples, began, took, hintOf(lane.stage.policy(), failure), Optional.empty());
            outcome = StageOutcome.failed(failure);
        }

        private Threw(Threw call, StageSpending spent) {
            super(call, spent);
            outcome = call.outcome;
        }

        @Override
        StageOutcome<byte[]> outcome(int index) {
            return outcome;
        }

        @Override
        CallResult costing(StageSpending cost) {
            return new Threw(this, cost);
        }
    }

    /** No outcome: no attempt is spent. */
    static final class Interrupted extends CallResult {

        private Interrupted(Lane lane, List<Sample> samples, Instant began, Duration took) {
            super(lane, samples, began, took, Duration.ZERO, Optional.empty());
        }

        private Interrupted(Interrupted call, StageSpending spent) {
            super(call, spent);
        }

        @Override
        StageOutcome<byte[]> outcome(int index) {
            throw new IllegalStateException("an interrupted call has no outcome");
        }

        @Override
        CallResult costing(StageSpending cost) {
            return new Interrupted(this, cost);
        }
    }

    private static Duration longestHint(RetryPolicy policy, List<StageOutcome<byte[]>> outcomes) {
        Duration longest = Duration.ZERO;
        for (StageOutcome<byte[]> outcome : outcomes) {
            if (outcome instanceof StageOutcome.Failed<byte[]> failed) {
                Duration hint = hintOf(policy, failed.failure());
                longest = hint.compareTo(longest) > 0 ? hint : longest;
            }
        }
        return longest;
    }

    private static Duration hintOf(RetryPolicy policy, Failure failure) {
        Duration hint = policy.retryAfter(failure).orElse(Duration.ZERO);
        return hint.isNegative() ? Duration.ZERO : hint;
    }
}
