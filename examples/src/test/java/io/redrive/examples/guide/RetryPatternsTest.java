package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.ContextCarrier;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The snippets of retry-patterns.md. */
final class RetryPatternsTest {

    private static final RetryPolicy QUICK =
            RetryPolicy.builder().maxAttempts(3).backoff(Backoff.none()).build();

    private final ManualTime time = new ManualTime();
    private final Shop shop = new Shop(0);

    private record Order(String id) {}

    private record Receipt(String id) {}

    /** A downstream with a number of failures before the first success. */
    private static final class Shop {
        private int failures;
        private int calls;

        Shop(int failures) {
            this.failures = failures;
        }

        Receipt charge(Order order) throws IOException {
            calls++;
            if (failures-- > 0) {
                throw new IOException("connection reset");
            }
            return new Receipt(order.id());
        }

        CompletionStage<Receipt> chargeAsync(Order order) {
            try {
                return CompletableFuture.completedFuture(charge(order));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        String status(Order order) {
            calls++;
            return failures-- > 0 ? "pending" : "ready";
        }
    }

    @Test
    void a_blocking_call_returns_the_value() throws IOException {
        Shop client = new Shop(2);
        Order order = new Order("o-1");
        // snippet: blocking
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(5)
                .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30), 2.0))
                .jitter(0.2)
                .retryOn(IOException.class)
                .build();
        Retry payments = Retry.with(policy);

        Receipt receipt = payments.call(() -> client.charge(order)); // throws IOException, as charge does
        // end
        assertThat(receipt.id()).isEqualTo("o-1");
        assertThat(client.calls).isEqualTo(3);
    }

    @Test
    void a_sealed_result_tells_how_it_ended() {
        Shop client = new Shop(9);
        Order order = new Order("o-1");
        Retry payments = Retry.with(QUICK);
        // snippet: sealed-result
        RetryResult<Receipt> result = payments.run(() -> client.charge(order));

        String answer = result.match(
                success -> "charged after " + success.attempts() + " attempts",
                failure -> failure.reason() == Reason.MAX_ATTEMPTS_EXCEEDED
                        ? "try later: " + failure.lastException().getMessage()
                        : "cannot be charged: " + failure.reason());
        // end
        assertThat(answer).isEqualTo("try later: connection reset");
    }

    @Test
    void a_result_that_will_not_do_is_retried() {
        Shop client = new Shop(2);
        Order order = new Order("o-1");
        // snippet: retry-on-result
        RetryPolicy untilReady = RetryPolicy.builder()
                .maxAttempts(10)
                .backoff(Backoff.fixed(Duration.ofMillis(500)))
                .retryOnResult("pending"::equals)
                .build();

        RetryResult<String> status = Retry.with(untilReady).time(time).run(() -> client.status(order));
        // end
        assertThat(status.orElse("?")).isEqualTo("ready");
        assertThat(status.attempts()).isEqualTo(3);
    }

    @Test
    void a_call_whose_result_is_never_accepted_returns_the_last_one() {
        Shop client = new Shop(99);
        RetryPolicy untilReady =
                QUICK.toBuilder().retryOnResult("pending"::equals).build();
        assertThat(Retry.with(untilReady).call(() -> client.status(new Order("o-1"))))
                .isEqualTo("pending");
        RetryResult<String> result = Retry.with(untilReady).run(() -> client.status(new Order("o-1")));
        assertThat(((RetryResult.Failure<String>) result).lastValue()).isEqualTo("pending");
    }

    @Test
    void an_asynchronous_call_holds_no_thread() throws Exception {
        Shop client = new Shop(1);
        Order order = new Order("o-1");
        Retry payments = Retry.with(QUICK);
        // snippet: async
        CompletableFuture<Receipt> receipt = payments.callAsync(() -> client.chargeAsync(order));
        // end
        assertThat(receipt.get(10, TimeUnit.SECONDS).id()).isEqualTo("o-1");
    }

    @Test
    void a_blocking_operation_runs_on_an_executor() throws Exception {
        Shop client = new Shop(1);
        Order order = new Order("o-1");
        Retry payments = Retry.with(QUICK);
        ExecutorService executor = Executors.newFixedThreadPool(1);
        try {
            // snippet: async-executor
            CompletableFuture<Receipt> receipt = payments.callAsync(() -> client.charge(order), executor);
            // end
            assertThat(receipt.get(10, TimeUnit.SECONDS).id()).isEqualTo("o-1");
        } finally {
            executor.shutdown();
        }
    }

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    @Test
    void context_follows_the_attempts() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        Retry payments = Retry.with(QUICK);
        try {
            // snippet: context
            ContextCarrier tenant = () -> {
                String captured = TENANT.get();
                return work -> () -> {
                    TENANT.set(captured);
                    try {
                        work.run();
                    } finally {
                        TENANT.remove();
                    }
                };
            };
            Retry carrying = payments.context(tenant);
            // end
            TENANT.set("acme");
            assertThat(carrying.callAsync(() -> TENANT.get(), executor).get(10, TimeUnit.SECONDS))
                    .isEqualTo("acme");
        } finally {
            TENANT.remove();
            executor.shutdown();
        }
    }

    @Test
    void callbacks_take_one_record() {
        List<String> seen = new ArrayList<>();
        // snippet: callbacks
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(3)
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .onRetry(event -> seen.add("attempt " + event.attempt() + " failed, next in " + event.delay()))
                .onSuccess(event -> seen.add("done after " + event.attempts()))
                .onRetryExhausted(event -> seen.add("gave up: " + event.reason()))
                .build();
        // end
        Shop client = new Shop(9);
        Retry.with(policy.toBuilder().jitter(0).build()).time(time).run(() -> client.charge(new Order("o-1")));
        assertThat(seen)
                .containsExactly(
                        "attempt 1 failed, next in PT1S",
                        "attempt 2 failed, next in PT1S",
                        "gave up: max_attempts_exceeded");
    }

    @Test
    void a_listener_hears_everything() {
        List<Integer> attempts = new ArrayList<>();
        // snippet: listener
        RetryListener counting = new RetryListener() {
            @Override
            public void onAttempt(Attempted event) {
                attempts.add(event.attempt());
            }
        };
        Retry payments = Retry.with(QUICK).listener(counting);
        // end
        payments.run(() -> new Shop(0).charge(new Order("o-1")));
        assertThat(attempts).containsExactly(1);
    }

    @Test
    void an_outer_retry_leaves_an_inner_exhaustion_alone() {
        Shop client = new Shop(99);
        Order order = new Order("o-1");
        // snippet: nested
        Retry inner = Retry.with(QUICK); // 3 attempts
        Retry outer = Retry.with(QUICK); // 3 attempts

        // 3 calls, not 9: what the inner retry gave up on is not retried again.
        outer.run(() -> inner.call(() -> client.charge(order)));
        // end
        assertThat(client.calls).isEqualTo(3);
    }

    @Test
    void an_outer_retry_retries_inner_exhaustion_when_told_to() {
        Shop client = new Shop(99);
        Retry inner = Retry.with(QUICK);
        // snippet: nested-allowed
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(3)
                .backoff(Backoff.none())
                .retryInnerExhaustion()
                .build();
        // end
        Retry.with(policy).run(() -> inner.call(() -> client.charge(new Order("o-1"))));
        assertThat(client.calls).isEqualTo(9);
    }

    @Test
    void an_interrupt_ends_the_call_and_keeps_the_flag() {
        Shop client = new Shop(99);
        Order order = new Order("o-1");
        Thread.currentThread().interrupt();
        // snippet: interrupt
        RetryResult<Receipt> result = Retry.with(Presets.CONNECTION).run(() -> client.charge(order));
        // interrupted while waiting: Failure(reason = interrupted), no further attempt,
        // and Thread.currentThread().isInterrupted() is true
        // end
        assertThat(Thread.interrupted()).isTrue();
        assertThat(((RetryResult.Failure<Receipt>) result).reason()).isEqualTo(Reason.INTERRUPTED);
        assertThat(client.calls).isEqualTo(1);
    }

    @Test
    void a_name_makes_a_call_visible_in_logs() {
        // snippet: named
        Retry payments = Retry.with(Presets.CONNECTION).named("payments");

        RetryResult<Receipt> receipt = payments.run(() -> shop.charge(new Order("o-1")));
        RetryResult<Receipt> same =
                Retry.with(Presets.CONNECTION).execute("payments", () -> shop.charge(new Order("o-2")));
        // end
        assertThat(receipt.isSuccess() && same.isSuccess()).isTrue();
    }

    @Test
    void the_last_exception_tells_what_was_tried() {
        Shop client = new Shop(99);
        assertThatThrownBy(() -> Retry.with(QUICK).call(() -> client.charge(new Order("o-1"))))
                .isInstanceOf(IOException.class)
                .satisfies(error -> assertThat(error.getSuppressed()).hasSize(3));
        assertThatThrownBy(() -> Retry.with(QUICK)
                        .callAsync(() -> client.chargeAsync(new Order("o-1")))
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void each_attempt_can_be_limited() {
        // snippet: timeout
        Retry payments = Retry.with(QUICK).timeout(Duration.ofSeconds(2));
        // end
        assertThat(payments.describe()).contains("attempt time limit 2s");
    }
}
