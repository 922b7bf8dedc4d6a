package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.CircuitOpenException;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of budget-and-breaker.md. */
final class BudgetAndBreakerExamplesTest {

    static Retry allTogether() {
        RetryPolicy policy = Presets.ACTOR;
        // snippet: order
        Retry payments = Retry.with(policy)
                .named("payments")
                .breaker(CircuitBreaker.of("payments"))
                .budget(RetryBudget.of("payments"))
                .timeout(Duration.ofSeconds(2));

        String order = payments.describe();
        // end
        assertThat(order).isEqualTo(payments.toString());
        return payments;
    }

    @Test
    void the_order_of_the_parts_is_fixed() {
        Retry asGiven = allTogether();
        Retry otherwise = Retry.with(Presets.ACTOR)
                .timeout(Duration.ofSeconds(2))
                .budget(RetryBudget.of("payments"))
                .breaker(CircuitBreaker.of("payments"))
                .named("payments");
        assertThat(otherwise.describe()).isEqualTo(asGiven.describe());
    }

    @Test
    void a_spent_budget_refuses_retries() {
        RetryPolicy policy = RetryPolicy.builder().backoff(Backoff.none()).build();
        // snippet: budget
        RetryBudget budget = RetryBudget.builder("payments")
                .share(0.1) // a retry for each ten first attempts
                .reserve(10) // tokens at the start, for callers with few first attempts
                .size(100) // maximum number of saved tokens
                .build();
        Retry payments = Retry.with(policy).budget(budget);
        // end
        Reason last = null;
        int attempts = 0;
        for (int call = 0; call < 1_000; call++) {
            RetryResult<Object> result = payments.run(() -> {
                throw new IOException("down");
            });
            attempts += result.attempts();
            last = ((RetryResult.Failure<Object>) result).reason();
        }
        assertThat(last).isEqualTo(Reason.RETRY_BUDGET_EXHAUSTED);
        assertThat(attempts).isBetween(1_100, 1_110);
    }

    @Test
    void an_open_breaker_lets_no_call_through() {
        ManualTime time = new ManualTime();
        // snippet: breaker
        CircuitBreaker breaker = CircuitBreaker.builder("payments")
                .failureRate(0.5) // opens when half of …
                .window(20) // … the last 20 calls failed,
                .minimumCalls(10) // judged from 10 calls on;
                .openFor(Duration.ofSeconds(30)) // refuses calls for 30 s,
                .trialCalls(3) // 3 successful trial calls close the breaker
                .ignore(error -> error instanceof IllegalArgumentException) // the caller's own fault
                .time(time) // for tests; Time.system() otherwise
                .build();
        Retry payments = Retry.with(RetryPolicy.noRetry()).breaker(breaker).time(time);
        // end
        for (int call = 0; call < 10; call++) {
            payments.run(() -> {
                throw new IOException("down");
            });
        }
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
        RetryResult<String> refused = payments.run(() -> "fine again");
        assertThat(refused.attempts()).isZero();
        assertThat(((RetryResult.Failure<String>) refused).lastException()).isInstanceOf(CircuitOpenException.class);
        time.advance(Duration.ofSeconds(30));
        for (int call = 0; call < 3; call++) {
            assertThat(payments.run(() -> "fine again").isSuccess()).isTrue();
        }
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
    }
}
