package io.redrive.pipeline;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long the pipeline waits after its store failed: longer each time in a row, and without giving up. */
final class StoreBackoff {

    private static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(Integer.MAX_VALUE)
            .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)))
            .jitter(Jitter.equal())
            .build();

    private final RandomGenerator random;
    private int failures;

    StoreBackoff(RandomGenerator random) {
        this.random = random;
    }

    void recovered() {
        failures = 0;
    }

    /**
     * Returns the wait after any exception or error. The policy sees a plain failure kind, since it would give up on
     * some errors.
     */
    Duration waitAfterFailure() {
        failures++;
        Attempt attempt = new Attempt(failures, Failure.kind("store"), Duration.ZERO, Duration.ZERO, random);
        return POLICY.decide(attempt)
                .match(Decision.RetryAfter::delay, giveUp -> POLICY.backoff().max());
    }
}
