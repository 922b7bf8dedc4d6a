package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryListener.GaveUp;
import io.redrive.core.RetryListener.Retrying;
import io.redrive.core.RetryListener.Succeeded;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ActorRetryMetricsTest {

    private static final Failure FAILURE = Failure.kind("timeout");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ActorRetryMetrics metrics = ActorRetryMetrics.on(registry);

    private static Retrying retry(String actor, int attempt) {
        return new Retrying(actor, attempt, 20, Duration.ofMillis(100), FAILURE, Duration.ZERO);
    }

    private double attempts(String actor, String number) {
        return registry.get("actor.retry.attempts")
                .tags("actor", actor, "attempt_number", number)
                .counter()
                .count();
    }

    private double successes(String used) {
        return registry.get("actor.retry.success")
                .tags("actor", "api", "attempts_used", used)
                .counter()
                .count();
    }

    @Test
    void retries_are_counted_by_the_attempt_they_follow_and_timed() {
        metrics.onRetry(retry("api", 1));
        metrics.onRetry(retry("api", 1));
        metrics.onRetry(retry("api", 2));
        assertThat(attempts("api", "1")).isEqualTo(2);
        assertThat(attempts("api", "2")).isEqualTo(1);
        assertThat(attempts("api", "3")).isZero();
        Timer delay = registry.get("actor.retry.delay").tag("actor", "api").timer();
        assertThat(delay.count()).isEqualTo(3);
        assertThat(delay.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
    }

    @Test
    void only_successes_after_retries_are_counted() {
        metrics.onSuccess(new Succeeded("api", 1, 3, Duration.ZERO));
        assertThat(registry.find("actor.retry.success").counters()).isEmpty();
        metrics.onSuccess(new Succeeded("api", 2, 3, Duration.ZERO));
        metrics.onSuccess(new Succeeded("api", 3, 3, Duration.ZERO));
        metrics.onSuccess(new Succeeded("api", 3, 3, Duration.ZERO));
        assertThat(successes("2")).isEqualTo(1);
        assertThat(successes("3")).isEqualTo(2);
    }

    @Test
    void only_messages_that_ran_out_count_as_exhausted() {
        metrics.onGaveUp(new GaveUp("api", Reason.MAX_ATTEMPTS_EXCEEDED, 3, 3, FAILURE, Duration.ZERO));
        metrics.onGaveUp(new GaveUp("api", Reason.TTL_EXCEEDED, 2, 3, FAILURE, Duration.ZERO));
        metrics.onGaveUp(new GaveUp("api", Reason.NOT_RETRYABLE, 1, 3, FAILURE, Duration.ZERO));
        metrics.onGaveUp(new GaveUp("api", Reason.CANCELLED, 1, 3, FAILURE, Duration.ZERO));
        assertThat(registry.get("actor.retry.exhausted")
                        .tag("actor", "api")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void tags_are_bounded() {
        for (int attempt = 9; attempt < 40; attempt++) {
            metrics.onRetry(retry("api", attempt));
        }
        assertThat(attempts("api", "9")).isEqualTo(1);
        assertThat(attempts("api", "10+")).isEqualTo(30);
        for (int i = 0; i < 2 * ActorRetryMetrics.MAX_ACTORS; i++) {
            metrics.onRetry(retry("entity-" + i, 1));
        }
        assertThat(attempts("other", "1")).isEqualTo(ActorRetryMetrics.MAX_ACTORS + 1);
        assertThat(registry.getMeters().stream()
                        .map(Meter::getId)
                        .map(id -> id.getTag("actor"))
                        .distinct())
                .hasSize(ActorRetryMetrics.MAX_ACTORS + 1);
    }
}
