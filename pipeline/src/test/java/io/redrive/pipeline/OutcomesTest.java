package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Outcomes of handlers of single events, and their settlements. */
class OutcomesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    private Pipeline pipeline(EventHandler handler) {
        return rig.pipeline().handle("*", handler).build();
    }

    private void publishAndRun(Pipeline pipeline, int seconds) {
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(seconds), SECOND);
    }

    @Test
    void a_handled_event_is_announced_with_attempt_and_latency() {
        int[] calls = {0};
        Pipeline pipeline = pipeline(event -> ++calls[0] < 3 ? Outcome.retry("not yet") : Outcome.done());
        publishAndRun(pipeline, 5);
        assertThat(rig.heard.done).singleElement().satisfies(done -> {
            assertThat(done.attempts()).isEqualTo(3);
            assertThat(done.latency()).isEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void a_handler_that_returns_null_has_failed_and_is_told_what_to_return() {
        publishAndRun(pipeline(event -> null), 5);
        assertThat(rig.heard.done).isEmpty();
        assertThat(rig.onlyLetter().errorType()).isEqualTo("IllegalStateException");
        assertThat(rig.onlyLetter().lastError())
                .contains("the handler for '*' must return an Outcome, got null")
                .contains("Outcome.done()");
    }

    @Test
    void each_failed_attempt_leaves_a_line_of_history() {
        Instant start = rig.time.now();
        publishAndRun(pipeline(event -> Outcome.failed(new IOException("down"))), 5);
        List<AttemptRecord> history = rig.onlyLetter().history();
        assertThat(history).extracting(AttemptRecord::number).containsExactly(1, 2, 3);
        assertThat(history)
                .extracting(AttemptRecord::at)
                .containsExactly(start, start.plusSeconds(1), start.plusSeconds(2));
        assertThat(history).extracting(AttemptRecord::errorType).containsOnly("IOException");
        assertThat(history).extracting(AttemptRecord::node).containsOnly("node-1");
        assertThat(history).extracting(AttemptRecord::decision).containsExactly("retry", "retry", "dead");
        assertThat(history)
                .extracting(AttemptRecord::why)
                .containsExactly("after 1s", "after 1s", "max_attempts_exceeded");
    }

    @Test
    void a_requested_retry_uses_up_attempts_and_ends_as_exhausted() {
        publishAndRun(pipeline(event -> Outcome.retry("not yet")), 5);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(rig.onlyLetter().attempts()).isEqualTo(new Attempts(3, 0, 0));
        assertThat(rig.onlyLetter().lastError()).isEqualTo("not yet");
    }

    @Test
    void a_requested_delay_replaces_the_backoff() {
        Pipeline pipeline = pipeline(event -> {
            rig.handled.add(event.name());
            return Outcome.retry(Duration.ofSeconds(30), "later");
        });
        publishAndRun(pipeline, 29);
        assertThat(rig.handled).hasSize(1);
        rig.run(pipeline, SECOND, SECOND);
        assertThat(rig.handled).hasSize(2);
    }

    @Test
    void a_requested_retry_is_granted_though_the_policy_would_not_retry_by_itself() {
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults()
                        .with("*", Rig.attempts(3).toBuilder().retryNone().build()))
                .handle("*", event -> Outcome.retry("not yet"))
                .build();
        publishAndRun(pipeline, 5);
        assertThat(rig.onlyLetter().attempts().failed()).isEqualTo(3);
    }

    @Test
    void dead_gives_up_at_once_as_not_retryable() {
        publishAndRun(pipeline(event -> Outcome.dead("no such order")), 1);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(rig.onlyLetter().lastError()).isEqualTo("no such order");
    }

    @Test
    void an_exception_the_policy_does_not_retry_dies_at_its_first_attempt() {
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                RetryPolicy.builder()
                                        .maxAttempts(3)
                                        .retryOn(IOException.class)
                                        .build()))
                .on("*", event -> {
                    throw new IllegalArgumentException("bad");
                })
                .build();
        publishAndRun(pipeline, 1);
        DeadLetter letter = rig.onlyLetter();
        assertThat(letter.reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(letter.attempts().failed()).isEqualTo(1);
    }

    @Test
    void an_error_of_the_machine_is_a_crash_of_the_handler() {
        publishAndRun(
                pipeline(event -> {
                    throw new StackOverflowError("deep");
                }),
                1);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.HANDLER_CRASHED);
    }

    @Test
    void a_snooze_spends_no_attempt_and_leaves_no_line() {
        int[] calls = {0};
        Pipeline pipeline =
                pipeline(event -> ++calls[0] <= 10 ? Outcome.snooze(SECOND) : Outcome.failed(new IOException("down")));
        publishAndRun(pipeline, 20);
        assertThat(calls[0]).isEqualTo(13);
        assertThat(rig.onlyLetter().attempts()).isEqualTo(new Attempts(3, 0, 0));
        assertThat(rig.onlyLetter().history()).hasSize(3);
    }

    @Test
    void a_retry_waits_as_long_as_the_server_asks() {
        publishAndRun(pipeline(event -> new Outcome.Failed(Failure.status(429, Duration.ofSeconds(17)))), 0);
        assertThat(rig.heard.retries)
                .singleElement()
                .satisfies(retry -> assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(17)));
    }

    @Test
    void a_thrown_hint_is_honoured_as_well() {
        publishAndRun(
                pipeline(event -> {
                    throw new HttpStatusException(503, "busy", Duration.ofSeconds(9));
                }),
                0);
        assertThat(rig.heard.retries.get(0).delay()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void a_time_to_live_ends_retries_whose_wait_would_outlast_it() {
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                Rig.attempts(100).toBuilder()
                                        .maxDuration(Duration.ofSeconds(3))
                                        .build()))
                .handle("*", event -> Outcome.failed(new IOException("down")))
                .build();
        publishAndRun(pipeline, 10);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.onlyLetter().attempts().failed()).isEqualTo(4);
    }

    @Test
    void a_policy_that_throws_makes_a_dead_letter_and_holds_nothing_up() {
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults()
                        .with(
                                "order.bad",
                                Rig.attempts(3).toBuilder()
                                        .backoff(Backoff.custom(k -> {
                                            throw new IllegalStateException("no table for " + k);
                                        }))
                                        .build()))
                .on("*", event -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(
                List.of(rig.event("order.bad").build(), rig.event("order.good").build()));
        pipeline.drain();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(rig.onlyLetter().lastError()).as("the work's own failure").contains("down");
        assertThat(rig.stats().claimed()).isZero();
        assertThat(rig.stats().delayed()).isEqualTo(1);
    }

    @Test
    void an_interrupt_from_outside_is_retried_and_not_dead_lettered() {
        publishAndRun(
                pipeline(event -> {
                    throw new InterruptedException("somebody else's");
                }),
                0);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.heard.retries)
                .singleElement()
                .satisfies(retry -> assertThat(retry.message()).contains("interrupted from outside"));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_negative_delay_is_refused() {
        Duration negative = Duration.ofSeconds(-1);
        assertThatThrownBy(() -> Outcome.retry(negative, "x"))
                .hasMessage("retry delay must not be negative, got PT-1S");
        assertThatThrownBy(() -> Outcome.snooze(Duration.ZERO))
                .hasMessage("snooze delay must be longer than zero, got PT0S");
    }

    private Pipeline asking(Duration delay, RetryPolicy policy) {
        return rig.pipeline()
                .policies(EventPolicies.defaults().with("*", policy))
                .handle("*", event -> Outcome.retry(delay, "later"))
                .build();
    }

    @Test
    void a_delay_that_a_handler_asks_for_is_refused_when_it_would_outlast_the_time_to_live() {
        RetryPolicy policy =
                Rig.attempts(5).toBuilder().maxDuration(Duration.ofSeconds(30)).build();
        publishAndRun(asking(Duration.ofSeconds(31), policy), 1);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.onlyLetter().lastError()).isEqualTo("later");
    }

    @Test
    void a_short_delay_that_a_handler_asks_for_is_not_refused_for_the_policys_long_backoff() {
        RetryPolicy policy = Rig.attempts(5).toBuilder()
                .backoff(Backoff.fixed(Duration.ofMinutes(10)))
                .maxDuration(Duration.ofSeconds(30))
                .build();
        publishAndRun(asking(Duration.ofSeconds(20), policy), 1);
        assertThat(rig.heard.retries)
                .singleElement()
                .satisfies(retry -> assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(20)));
    }

    @Test
    void a_delay_that_a_handler_asks_for_is_refused_when_it_would_outlast_the_deadline() {
        Pipeline pipeline = asking(Duration.ofSeconds(31), Rig.attempts(5));
        pipeline.publish(
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(30)).build());
        pipeline.drain();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
    }
}
