package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Samples of one failed call share a decision when their numbers of attempts are equal. */
final class JudgeTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Judge judge = new Judge(new Random(1));
    private final Lane lane = new Lane(
            0,
            Stage.batch("b", 2, (List<String> texts) -> texts)
                    .policy(RetryPolicy.builder()
                            .maxAttempts(3)
                            .backoff(Backoff.fixed(Duration.ofSeconds(10)))
                            .jitter(Jitter.full())
                            .build()));

    @Test
    void samples_that_failed_together_are_retried_together() {
        Sample one = sample(0);
        Sample other = sample(1);
        CallResult call = call(Failure.status(503), one, other);

        assertThat(decide(one, call)).isEqualTo(decide(other, call));
    }

    @Test
    void a_sample_with_more_failed_attempts_has_its_own_decision() {
        Sample fresh = sample(0);
        Sample tired = sample(1);
        tired.retry(Failure.status(503), Duration.ZERO, NOW);
        tired.retry(Failure.status(503), Duration.ZERO, NOW);
        CallResult call = call(Failure.status(503), fresh, tired);

        assertThat(decide(fresh, call)).isInstanceOf(Decision.RetryAfter.class);
        assertThat(decide(tired, call)).isInstanceOf(Decision.GiveUp.class);
    }

    @Test
    void another_call_is_decided_anew() {
        Sample one = sample(0);
        Sample other = sample(1);

        assertThat(decide(one, call(Failure.status(503), one, other)))
                .isNotEqualTo(decide(one, call(Failure.status(503), one, other)));
    }

    private Decision decide(Sample sample, CallResult call) {
        return judge.decide(sample, call, Failure.status(503), NOW);
    }

    private CallResult call(Failure failure, Sample... samples) {
        return CallResult.threw(lane, List.of(samples), failure, NOW, Duration.ZERO);
    }

    private static Sample sample(int ordinal) {
        Sample sample = Samples.sample(ordinal);
        sample.began(NOW);
        return sample;
    }
}
