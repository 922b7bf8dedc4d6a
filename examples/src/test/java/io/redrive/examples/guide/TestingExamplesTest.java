package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The snippets of testing.md. */
final class TestingExamplesTest {

    private String connect() throws IOException {
        throw new IOException("refused");
    }

    // snippet: manual-time
    @Test
    void connecting_gives_up_after_75_seconds() {
        ManualTime time = new ManualTime();

        RetryResult<String> result = Retry.with(Presets.CONNECTION).time(time).run(() -> connect());

        assertThat(result.isSuccess()).isFalse();
        assertThat(result.elapsed()).isEqualTo(Duration.ofSeconds(75));
        assertThat(time.sleeps())
                .containsExactly(
                        Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40));
    }
    // end

    // snippet: five-hours
    @Test
    void five_hours_of_retries_pass_in_milliseconds() {
        RetryPolicy patient = RetryPolicy.builder()
                .maxAttempts(70)
                .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 2.0))
                .jitter(Jitter.none())
                .build();
        ManualTime time = new ManualTime();

        RetryResult<String> result = Retry.with(patient).time(time).run(() -> connect());

        assertThat(result.attempts()).isEqualTo(70);
        assertThat(result.elapsed()).isGreaterThan(Duration.ofHours(5));
    }
    // end

    // snippet: seeded
    @Test
    void the_same_seed_waits_the_same() {
        ManualTime first = new ManualTime();
        ManualTime second = new ManualTime();

        Retry.with(Presets.VISIBILITY)
                .time(first)
                .random(new SplittableRandom(42))
                .run(() -> connect());
        Retry.with(Presets.VISIBILITY)
                .time(second)
                .random(new SplittableRandom(42))
                .run(() -> connect());

        assertThat(first.sleeps()).hasSize(7).isEqualTo(second.sleeps());
    }
    // end

    // snippet: async-by-hand
    @Test
    void an_asynchronous_call_waits_until_time_is_moved() {
        ManualTime time = new ManualTime();
        Retry retry = Retry.with(Presets.CONNECTION).time(time);
        CompletableFuture<RetryResult<String>> result = retry.runAsync(() -> connect(), Runnable::run);

        assertThat(result).isNotDone();
        time.advance(Duration.ofSeconds(75));
        assertThat(result.join().attempts()).isEqualTo(5);
    }
    // end

    // snippet: decide
    @Test
    void the_third_failure_is_the_last() {
        RetryPolicy policy = RetryPolicy.builder().maxAttempts(3).build();
        Attempt third = new Attempt(
                3, Failure.kind("timeout"), Duration.ofSeconds(1), Duration.ofMillis(200), new SplittableRandom(1));

        assertThat(policy.decide(third)).isInstanceOf(Decision.GiveUp.class);
    }
    // end
}
