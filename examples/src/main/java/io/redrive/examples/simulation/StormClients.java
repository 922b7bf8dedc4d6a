package io.redrive.examples.simulation;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the clients of a {@link Storm} behave.
 *
 * @param policy the retry policy of each client
 * @param hasBudget whether all clients share a retry budget with default settings
 * @param hasBreaker whether all clients share a circuit breaker with default settings
 */
public record StormClients(RetryPolicy policy, boolean hasBudget, boolean hasBreaker) {

    /** The compared clients; "three retries" is four attempts, 100 ms doubling up to 10 s. */
    public static Map<String, StormClients> contestants() {
        RetryPolicy plain = RetryPolicy.builder()
                .maxAttempts(4)
                .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0))
                .jitter(Jitter.none())
                .build();
        RetryPolicy jittered = plain.toBuilder().jitter(Jitter.full()).build();
        Map<String, StormClients> contestants = new LinkedHashMap<>();
        contestants.put("no retry", new StormClients(RetryPolicy.noRetry(), false, false));
        contestants.put("three retries, no jitter", new StormClients(plain, false, false));
        contestants.put("three retries, full jitter", new StormClients(jittered, false, false));
        contestants.put("… with a retry budget", new StormClients(jittered, true, false));
        contestants.put("… with a circuit breaker", new StormClients(jittered, false, true));
        contestants.put("… with both", new StormClients(jittered, true, true));
        return contestants;
    }
}
