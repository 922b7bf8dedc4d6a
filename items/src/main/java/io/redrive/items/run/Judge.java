package io.redrive.items.run;

import io.redrive.core.Attempt;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.PayloadTooLargeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides whether a failed sample is retried. The only class that asks a {@link RetryPolicy} about samples. */
final class Judge {

    private final RandomGenerator random;
    /** Decisions about the samples of {@link #call}. */
    private final Map<History, Decision> decisions = new HashMap<>();

    private @Nullable CallResult call;

    /** What a decision depends on, besides the failure. */
    private record History(int attempt, Duration elapsed, Duration lastDelay) {}

    Judge(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns one decision for all samples that failed together and have the same history: with a jitter for each, a batch would
     * come back as many calls of one sample.
     */
    Decision decide(Sample sample, CallResult failed, Failure failure, Instant now) {
        RetryPolicy policy = failed.lane().stage.policy();
        History history = new History(sample.attempt(), sample.elapsed(now), sample.lastDelay());
        if (!failed.failedTogether()) {
            return decide(history, policy, failure);
        }
        if (failed != call) {
            call = failed;
            decisions.clear();
        }
        return decisions.computeIfAbsent(history, same -> decide(same, policy, failure));
    }

    private Decision decide(History history, RetryPolicy policy, Failure failure) {
        if (failure instanceof Failure.Thrown thrown && thrown.error() instanceof PayloadTooLargeException) {
            return Decision.giveUp(Reason.NOT_RETRYABLE);
        }
        Attempt attempt = new Attempt(history.attempt(), failure, history.elapsed(), history.lastDelay(), random);
        Decision decision = policy.decideSafely(attempt);
        return decision instanceof Decision.GiveUp giveUp && isCrash(failure, giveUp.reason())
                ? Decision.giveUp(Reason.HANDLER_CRASHED)
                : decision;
    }

    /** Returns true for an error that is not retried: it tells of a broken stage, not of a bad sample. */
    private static boolean isCrash(Failure failure, Reason reason) {
        return reason == Reason.NOT_RETRYABLE
                && failure instanceof Failure.Thrown thrown
                && thrown.error() instanceof Error;
    }
}
