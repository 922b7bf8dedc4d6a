package io.redrive.examples.simulation;

import io.redrive.core.Attempt;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A call with its attempts: asks first the policy and then the budget, as every module of Redrive does. The simulations
 * contain no retry arithmetic.
 */
final class Caller {

    private final RetryPolicy policy;
    private final Optional<RetryBudget> budget;
    private final ManualTime time;
    private final RandomGenerator random;
    private final long startNanos;
    private int attempts = 1;
    private Duration previousDelay = Duration.ZERO;

    Caller(RetryPolicy policy, Optional<RetryBudget> budget, ManualTime time, RandomGenerator random) {
        this.policy = policy;
        this.budget = budget;
        this.time = time;
        this.random = random;
        this.startNanos = time.nanos();
        budget.ifPresent(RetryBudget::firstAttempt);
    }

    /** The number of the current attempt, counted from 1. */
    int attempt() {
        return attempts;
    }

    /** The wait before the next attempt; empty when the call is given up. */
    Optional<Duration> afterFailure(Failure failure) {
        Duration elapsed = Duration.ofNanos(time.nanos() - startNanos);
        Decision decision = policy.decide(new Attempt(attempts, failure, elapsed, previousDelay, random));
        if (decision instanceof Decision.RetryAfter wait
                && budget.map(tokens -> tokens.tryRetry(failure)).orElse(true)) {
            attempts++;
            previousDelay = wait.delay();
            return Optional.of(wait.delay());
        }
        return Optional.empty();
    }
}
