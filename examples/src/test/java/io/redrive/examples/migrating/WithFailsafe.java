package io.redrive.examples.migrating;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import java.io.IOException;
import java.time.Duration;

final class WithFailsafe {

    private WithFailsafe() {}

    static String charge(Charge charge) {
        // snippet: with-failsafe
        RetryPolicy<String> policy = RetryPolicy.<String>builder()
                .handle(IOException.class)
                .withMaxAttempts(4)
                .withBackoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2.0)
                .withJitter(0.2)
                .build();
        CircuitBreaker<String> breaker = CircuitBreaker.<String>builder()
                .withFailureThreshold(50, 100)
                .withDelay(Duration.ofSeconds(30))
                .withSuccessThreshold(3)
                .build();

        // The first policy is the outermost: breaker around retry, as in Redrive.
        String receipt = Failsafe.with(breaker, policy).get(() -> charge.send());
        // end
        return receipt;
    }
}
