package io.redrive.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.retry.RetryConfig;
import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Jitter;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.core.retry.RetryTemplate;

/**
 * The compared libraries, with the same settings: three attempts, no wait, no listeners, default rules about exceptions; the
 * breaker outside the retry, closed, judging the last {@value #WINDOW} calls. Each library is used in its cheapest way:
 * reusable objects are created once.
 */
enum Library {
    OURS("ours") {
        @Override
        Callable<Object> retrying(FlakyCall call) {
            Retry retry = Retry.with(policy());
            return () -> retry.call(call);
        }

        @Override
        Callable<Object> guarded(FlakyCall call) {
            Retry retry = Retry.with(policy())
                    .breaker(CircuitBreaker.builder("bench").window(WINDOW).build());
            return () -> retry.call(call);
        }

        private RetryPolicy policy() {
            return RetryPolicy.builder()
                    .maxAttempts(ATTEMPTS)
                    .backoff(Backoff.none())
                    .jitter(Jitter.none())
                    .build();
        }
    },

    RESILIENCE4J("resilience4j") {
        @Override
        Callable<Object> retrying(FlakyCall call) {
            return io.github.resilience4j.retry.Retry.decorateCallable(retry(), call);
        }

        @Override
        Callable<Object> guarded(FlakyCall call) {
            CircuitBreakerConfig config = CircuitBreakerConfig.custom()
                    .slidingWindowSize(WINDOW)
                    .minimumNumberOfCalls(MINIMUM_CALLS)
                    .build();
            return io.github.resilience4j.circuitbreaker.CircuitBreaker.decorateCallable(
                    io.github.resilience4j.circuitbreaker.CircuitBreaker.of("bench", config), retrying(call));
        }

        private io.github.resilience4j.retry.Retry retry() {
            RetryConfig config = RetryConfig.custom()
                    .maxAttempts(ATTEMPTS)
                    .waitDuration(Duration.ZERO)
                    .build();
            return io.github.resilience4j.retry.Retry.of("bench", config);
        }
    },

    FAILSAFE("failsafe") {
        @Override
        Callable<Object> retrying(FlakyCall call) {
            FailsafeExecutor<Object> executor = Failsafe.with(policy());
            return () -> executor.get(call);
        }

        @Override
        Callable<Object> guarded(FlakyCall call) {
            // Failsafe measures failure rates over time; a threshold of failures over a count looks at the last calls.
            FailsafeExecutor<Object> executor = Failsafe.with(
                    dev.failsafe.CircuitBreaker.builder()
                            .withFailureThreshold(WINDOW / 2, WINDOW)
                            .build(),
                    policy());
            return () -> executor.get(call);
        }

        private dev.failsafe.RetryPolicy<Object> policy() {
            return dev.failsafe.RetryPolicy.builder().withMaxAttempts(ATTEMPTS).build();
        }
    },

    SPRING("spring") {
        @Override
        Callable<Object> retrying(FlakyCall call) {
            RetryTemplate template = new RetryTemplate(org.springframework.core.retry.RetryPolicy.builder()
                    .maxRetries(ATTEMPTS - 1)
                    .delay(Duration.ZERO)
                    .build());
            return () -> execute(template, call);
        }

        private static Object execute(RetryTemplate template, FlakyCall call) throws Exception {
            return template.execute(call);
        }

        @Override
        Callable<Object> guarded(FlakyCall call) {
            return null;
        }
    },

    /** Code written by hand for exactly this case, without any further feature. */
    LOOP("loop") {
        @Override
        Callable<Object> retrying(FlakyCall call) {
            return () -> HandWritten.retry(call);
        }

        @Override
        Callable<Object> guarded(FlakyCall call) {
            HandWritten.Breaker breaker = new HandWritten.Breaker();
            return () -> breaker.call(call);
        }
    };

    static final int ATTEMPTS = 3;
    static final int WINDOW = 100;
    private static final int MINIMUM_CALLS = 10;

    private final String label;

    Library(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The call under retry. */
    abstract Callable<Object> retrying(FlakyCall call);

    /** The call under retry under a circuit breaker; null where the library has none. */
    abstract Callable<Object> guarded(FlakyCall call);
}
