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
 * One call on its way through its attempts: asks the policy, then the budget, as every waiter of Redrive does. The
 * simulations hold no retry arithmetic of their own.
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

    /** Which attempt is under way, counted from 1. */
    int attempt() {
        return attempts;
    }

    /** How long to wait before the next attempt; empty when there is none. */
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
