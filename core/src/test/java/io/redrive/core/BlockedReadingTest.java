package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A method of an exception that never returns, and ignores interrupts, holds up no call for long. */
@Timeout(60)
class BlockedReadingTest {

    private static final Retry ONE_ATTEMPT = Retry.with(RetryPolicy.noRetry());

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void release() {
        release.countDown();
    }

    /** An exception with status, kind and hint. One of its methods blocks until the test ends. */
    private class Blocking extends RuntimeException implements HasStatus, HasKind, HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final String blocked;

        Blocking(String blocked) {
            super("no answer");
            this.blocked = blocked;
        }

        private void at(String method) {
            while (method.equals(blocked) && release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // Ignores the interrupt.
                }
            }
        }

        @Override
        public String getMessage() {
            at("getMessage");
            return super.getMessage();
        }

        @Override
        public String toString() {
            at("toString");
            return "Blocking";
        }

        @Override
        public Throwable getCause() {
            at("getCause");
            return null;
        }

        @Override
        public int status() {
            at("status");
            return 503;
        }

        @Override
        public String kind() {
            at("kind");
            return "busy";
        }

        @Override
        public Optional<Duration> retryAfter() {
            at("retryAfter");
            return Optional.of(Duration.ofSeconds(7));
        }
    }

    @Test
    void a_call_whose_exception_blocks_ends_with_that_exception() throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (String method : List.of("getMessage", "toString", "getCause", "status", "kind", "retryAfter")) {
                Blocking blocking = new Blocking(method);
                calls.add(callers.submit(() -> assertThatThrownBy(() -> ONE_ATTEMPT.call(() -> {
                            throw blocking;
                        }))
                        .as(method)
                        .satisfies(thrown -> assertThat(thrown == blocking).isTrue())));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        } finally {
            callers.shutdown();
        }
    }

    @Test
    void an_asynchronous_call_whose_exception_blocks_ends() {
        Blocking blocking = new Blocking("toString");
        RetryResult<String> result = ONE_ATTEMPT
                .runAsync(() -> {
                    CompletableFuture<String> failed = new CompletableFuture<>();
                    failed.completeExceptionally(blocking);
                    return failed;
                })
                .join();
        assertThat(((RetryResult.Failure<String>) result).reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
    }

    @Test
    void facts_that_were_read_before_a_blocked_message_count() {
        Failure failure = Failure.thrown(new Blocking("toString"));
        assertThat(failure.type()).isEqualTo("http_503");
        assertThat(failure.hint()).contains(Duration.ofSeconds(7));
        assertThat(failure.message()).isEqualTo(Blocking.class.getName() + " (its message was not read within 2s)");
    }

    @Test
    void a_blocked_hint_counts_as_no_hint_and_the_failure_is_retried() {
        Failure failure = Failure.thrown(new Blocking("retryAfter"));
        assertThat(failure.type()).isEqualTo("http_503");
        assertThat(failure.hint()).isEmpty();
        assertThat(Presets.STAGE.decideSafely(Attempt.first(failure, Seeds.random(1))))
                .isInstanceOf(Decision.RetryAfter.class);
    }

    @Test
    void a_blocked_cause_ends_the_chain_of_causes() {
        Blocking blocking = new Blocking("getCause");
        CompletionException outer = new CompletionException("outer", blocking);
        assertThat(CauseChain.of(outer)).hasSize(2);
        assertThat(Failure.thrown(outer).type()).isEqualTo("http_503");
    }

    @Test
    void a_result_that_blocks_is_shown_by_its_class_and_has_no_hint() {
        assertThat(Failure.result(List.of(new Blocking("toString"))).message()).startsWith("result of java.util.");
        assertThat(Failure.result(new Blocking("retryAfter")).hint()).isEmpty();
    }

    @Test
    void a_listener_whose_exception_blocks_the_log_holds_up_no_call() {
        Retry retry = ONE_ATTEMPT.listener(new RetryListener() {
            @Override
            public void onSuccess(Succeeded event) {
                throw new IllegalStateException("of the listener", new Blocking("toString"));
            }
        });
        assertThat(retry.run(() -> "value")).isInstanceOf(RetryResult.Success.class);
    }

    @Test
    void an_interrupt_neither_ends_a_reading_nor_is_lost() {
        Thread.currentThread().interrupt();
        Failure failure = Failure.thrown(new Blocking("nothing"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure.message()).isEqualTo("no answer");
    }

    @Test
    void more_blocked_readings_than_reading_threads_end_too() throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<Future<Failure>> readings = new ArrayList<>();
            for (int i = 0; i < 2 * BoundedReading.MAX_THREADS; i++) {
                readings.add(callers.submit(() -> Failure.thrown(new Blocking("status"))));
            }
            for (Future<Failure> reading : readings) {
                assertThat(reading.get().type()).isEqualTo("Blocking");
            }
            assertThat(Failure.thrown(new IOException("plain")).message())
                    .as("the usual exception needs no reading thread")
                    .isEqualTo("java.io.IOException: plain");
        } finally {
            callers.shutdown();
        }
    }

    @Test
    void only_methods_of_other_classes_than_those_of_the_jdk_and_of_core_need_a_reading_thread() {
        assertThat(List.of(
                        new IOException("a"),
                        new SQLException("b"),
                        new HttpStatusException(503, "c"),
                        new AttemptTimeoutException(Duration.ofSeconds(1)),
                        new RetryableException("d") {
                            private static final long serialVersionUID = 1L;
                        }))
                .noneMatch(BoundedReading::runsUserCode);
        assertThat(BoundedReading.runsUserCode(new Blocking("nothing"))).isTrue();
    }
}
