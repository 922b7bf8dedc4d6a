package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Probes.Flaky;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines of the log and their levels. */
class RetryLoggingTest {

    private static final Logger LOGGER = Logger.getLogger("io.redrive.core");

    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time);
    private final IOException down = new IOException("down");

    @BeforeEach
    void listen_to_the_log() {
        LOGGER.setLevel(Level.ALL);
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void leave_the_log() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
        LOGGER.setLevel(null);
    }

    @Test
    void a_recovery_is_a_warning_for_each_retry_and_one_line_of_information() {
        retry.execute("Connect", new Flaky<>("up", down, down));
        assertThat(lines)
                .containsExactly(
                        "WARNING Connect failed (attempt 1/3): java.io.IOException: down. Retrying in 1s",
                        "WARNING Connect failed (attempt 2/3): java.io.IOException: down. Retrying in 1s",
                        "INFO Connect succeeded after 3 attempts in 2s");
    }

    @Test
    void only_the_final_failure_is_an_error() {
        retry.execute("Connect", new Flaky<>("up", down, down, down));
        assertThat(lines)
                .hasSize(3)
                .last()
                .isEqualTo("SEVERE Connect failed after 3/3 attempts in 2s (max_attempts_exceeded): "
                        + "java.io.IOException: down");
        assertThat(lines.subList(0, 2)).allMatch(line -> line.startsWith("WARNING"));
    }

    @Test
    void a_failure_that_is_not_retryable_is_an_error_at_once() {
        Retry.with(THREE.toBuilder().retryNone().build()).time(time).execute("Connect", new Flaky<>("", down));
        assertThat(lines)
                .containsExactly("SEVERE Connect failed after 1/3 attempts in 0ms (not_retryable): "
                        + "java.io.IOException: down");
    }

    @Test
    void success_at_once_is_not_worth_a_line() {
        retry.execute("Connect", () -> "up");
        assertThat(lines).isEmpty();
    }

    @Test
    void a_call_without_a_name_is_not_logged() {
        retry.run(new Flaky<>("", down, down, down));
        assertThat(lines).isEmpty();
        retry.listener(RetryListener.logging()).run(new Flaky<>("", down));
        assertThat(lines).hasSize(2);
    }

    @Test
    void a_breaker_logs_its_changes_and_a_refused_call_is_no_error() {
        CircuitBreaker breaker = CircuitBreaker.builder("api")
                .failureCount(1)
                .trialCalls(1)
                .openFor(ofSeconds(5))
                .time(time)
                .build();
        Retry guarded = Retry.with(RetryPolicy.noRetry()).time(time).breaker(breaker);
        guarded.run(new Flaky<>("", down));
        guarded.execute("Connect", () -> "refused");
        time.advance(ofSeconds(5));
        guarded.run(() -> "up");
        assertThat(lines)
                .containsExactly(
                        "WARNING circuit breaker 'api': CLOSED -> OPEN",
                        "FINE Connect failed after 0/1 attempts in 0ms (circuit_open): "
                                + "io.redrive.core.CircuitOpenException: circuit breaker 'api' is open; next trial in 5s",
                        "INFO circuit breaker 'api': OPEN -> HALF_OPEN",
                        "INFO circuit breaker 'api': HALF_OPEN -> CLOSED");
    }

    @Test
    void exceptions_of_callbacks_predicates_and_backoffs_are_logged() {
        RetryPolicy broken = THREE.toBuilder()
                .onRetry(event -> {
                    throw new IllegalStateException("callback");
                })
                .onRetryExhausted(event -> {
                    throw new IllegalStateException("exhausted");
                })
                .retryIf(error -> {
                    if (error.getMessage().equals("odd")) {
                        throw new IllegalStateException("predicate");
                    }
                    return true;
                })
                .build();
        Retry.with(broken).time(time).run(new Flaky<>("", down, down, down));
        assertThat(lines).hasSize(3).allMatch(line -> line.startsWith("WARNING listener io.redrive.core."));
        assertThat(lines.get(0)).endsWith(" threw; ignored: java.lang.IllegalStateException: callback");
        lines.clear();
        Retry.with(broken).time(time).run(new Flaky<>("", new IOException("odd")));
        assertThat(lines)
                .containsExactly("WARNING retry policy threw; giving up: java.lang.IllegalStateException: predicate");
        lines.clear();
        RetryPolicy bug = THREE.toBuilder()
                .backoff(Backoff.custom(attempt -> null))
                .retryOnResult("no"::equals)
                .build();
        // No exception can carry the bug as suppressed, so the log must show the bug.
        assertThat(Retry.with(bug).time(time).call(() -> "no")).isEqualTo("no");
        assertThat(lines).hasSize(1).allMatch(line -> line.startsWith("WARNING retry policy threw; giving up: "));
    }
}
