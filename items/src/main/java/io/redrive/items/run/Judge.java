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

/** Whether a failed sample is tried again. The only class that asks a {@link RetryPolicy} about samples. */
final class Judge {

    private final RandomGenerator random;
    private final Map<Before, Decision> ofCall = new HashMap<>();
    private Handled call;

    /** What a decision goes by, besides the failure. */
    private record Before(int failed, Instant firstAttempt, Duration lastDelay) {}

    Judge(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Samples that failed in one call and have been through the same get one decision: the jitter of each would else make a
     * batch come back as many calls of one sample.
     */
    Decision decide(Sample sample, Handled handled, Failure failure, Instant now) {
        RetryPolicy policy = handled.lane().stage.policy();
        if (!handled.failedTogether()) {
            return decide(sample, policy, failure, now);
        }
        if (handled != call) {
            call = handled;
            ofCall.clear();
        }
        Before before = new Before(sample.failed, sample.firstAttempt, sample.lastDelay);
        return ofCall.computeIfAbsent(before, alike -> decide(sample, policy, failure, now));
    }

    private Decision decide(Sample sample, RetryPolicy policy, Failure failure, Instant now) {
        if (failure instanceof Failure.Thrown thrown && thrown.error() instanceof PayloadTooLargeException) {
            return Decision.giveUp(Reason.NOT_RETRYABLE);
        }
        Duration elapsed = Duration.between(sample.firstAttempt, now);
        Attempt attempt = new Attempt(
                sample.failed + 1, failure, elapsed.isNegative() ? Duration.ZERO : elapsed, sample.lastDelay, random);
        Decision decision = policy.decideSafely(attempt);
        return decision instanceof Decision.GiveUp giveUp && isCrash(failure, giveUp.reason())
                ? Decision.giveUp(Reason.HANDLER_CRASHED)
                : decision;
    }

    /** An error that nobody retries did not come from the sample, it broke the stage. */
    private static boolean isCrash(Failure failure, Reason reason) {
        return reason == Reason.NOT_RETRYABLE
                && failure instanceof Failure.Thrown thrown
                && thrown.error() instanceof Error;
    }
}
