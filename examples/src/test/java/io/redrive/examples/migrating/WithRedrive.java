package io.redrive.examples.migrating;

import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.time.Duration;

final class WithRedrive {

    private WithRedrive() {}

    static String charge(Charge charge) throws IOException {
        // snippet: with-redrive
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(4)
                .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5), 2.0))
                .jitter(0.2)
                .retryOn(IOException.class)
                .build();
        Retry payments = Retry.with(policy).named("charge").breaker(CircuitBreaker.of("charge"));

        String receipt = payments.call(() -> charge.send());
        // end
        return receipt;
    }
}
