package io.redrive.examples.migrating;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

final class WithResilience4j {

    private WithResilience4j() {}

    static String charge(Charge charge) throws Exception {
        // snippet: with-resilience4j
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(4)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                        Duration.ofMillis(100), 2.0, 0.2, Duration.ofSeconds(5)))
                .retryExceptions(IOException.class)
                .build();
        Retry retry = Retry.of("charge", config);
        CircuitBreaker breaker = CircuitBreaker.of(
                "charge",
                CircuitBreakerConfig.custom()
                        .waitDurationInOpenState(Duration.ofSeconds(30))
                        .build());

        // The breaker is outside, as in Redrive.
        Callable<String> call =
                CircuitBreaker.decorateCallable(breaker, Retry.decorateCallable(retry, () -> charge.send()));
        String receipt = call.call();
        // end
        return receipt;
    }
}
