package io.redrive.items.run;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** How long a run waits after its store or sink failed: longer after each failure in a row, up to a limit in all. */
final class StorePatience {

    private final RetryPolicy policy;
    private final Time time;
    private final RandomGenerator random;
    private int troubles;
    private long since;

    StorePatience(Duration limit, Time time, RandomGenerator random) {
        RetryPolicy.Builder builder = RetryPolicy.builder()
                .maxAttempts(limit.isZero() ? 1 : Integer.MAX_VALUE)
                .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)))
                .jitter(Jitter.equal());
        policy = limit.isZero() ? builder.build() : builder.maxDuration(limit).build();
        this.time = time;
        this.random = random;
    }

    /** The store and the sink work. */
    void recovered() {
        troubles = 0;
    }

    /** Returns the wait before the next try; empty when the limit has passed. */
    Optional<Duration> waitAfterTrouble() {
        if (troubles++ == 0) {
            since = time.nanos();
        }
        Duration elapsed = Duration.ofNanos(Math.max(0, time.nanos() - since));
        Attempt attempt = new Attempt(troubles, Failure.kind("store"), elapsed, Duration.ZERO, random);
        return policy.decide(attempt).match(retry -> Optional.of(retry.delay()), giveUp -> Optional.empty());
    }
}
