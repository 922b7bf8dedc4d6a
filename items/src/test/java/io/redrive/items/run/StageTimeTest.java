package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time limit on all attempts of a sample at a stage, from the first attempt. */
final class StageTimeTest {

    private static final RetryPolicy MINUTE = RetryPolicy.builder()
            .maxAttempts(100)
            .backoff(Backoff.fixed(Duration.ofSeconds(25)))
            .jitter(Jitter.none())
            .maxDuration(Duration.ofMinutes(1))
            .build();

    private final Rig rig = new Rig();

    @Test
    void a_sample_is_given_up_on_when_its_next_wait_would_end_too_late() {
        RunRecord end = rig.runToEnd(Rig.pipeline(failing("llm").policy(MINUTE)), Rig.numbers(1));

        assertThat(end.balance().dead()).isEqualTo(1);
        assertThat(rig.store.archive().attempts("run-1", 0)).hasSize(3);
        assertThat(deathOf(0).reason()).isEqualTo(Reason.TTL_EXCEEDED);
    }

    @Test
    void the_time_counts_from_the_first_attempt_at_the_stage_and_not_from_that_at_another() {
        Stage<String, String> slow = Stage.map("slow", (String text) -> {
            rig.time.advance(Duration.ofMinutes(3));
            return text;
        });
        Stage<String, String> flaky = Stage.<String, String>of(
                        "flaky",
                        null,
                        (text, context) -> context.attempt() < 3
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(MINUTE);

        assertThat(rig.runToEnd(Rig.pipeline(slow, flaky), Rig.numbers(1))
                        .balance()
                        .succeeded())
                .isEqualTo(1);
    }

    @Test
    void the_time_limit_goes_on_while_no_process_works_on_the_run() {
        ItemPipeline<String, String> pipeline = Rig.pipeline(failing("llm").policy(MINUTE));
        Run run = rig.run(pipeline, Rig.numbers(1));
        run.drain();
        run.stop();
        rig.finish(run);
        rig.time.advance(Duration.ofMinutes(2));
        rig.runToEnd(pipeline, null);

        assertThat(rig.store.archive().attempts("run-1", 0)).hasSize(2);
        assertThat(deathOf(0).reason()).isEqualTo(Reason.TTL_EXCEEDED);
    }

    @Test
    void decorrelated_jitter_knows_the_previous_wait_after_a_resume() {
        ItemPipeline<String, String> pipeline = Rig.pipeline(failing("llm")
                .policy(RetryPolicy.builder()
                        .maxAttempts(8)
                        .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofHours(1)))
                        .jitter(Jitter.decorrelated())
                        .build()));
        for (int session = 0; session < 8; session++) {
            rig.seed = session;
            Run run = rig.run(pipeline, Rig.numbers(20));
            run.drain();
            run.stop();
            rig.finish(run);
            rig.time.advance(Duration.ofHours(1));
        }

        List<Duration> longest = new ArrayList<>();
        for (long ordinal = 0; ordinal < 20; ordinal++) {
            List<Duration> delays = rig.store.archive().attempts("run-1", ordinal).stream()
                    .map(StageAttempt::delay)
                    .limit(7)
                    .toList();
            longest.add(Collections.max(delays));
        }
        // A wait is up to three times the previous one; without the previous wait, no wait would exceed three seconds.
        assertThat(longest).anyMatch(delay -> delay.compareTo(Duration.ofSeconds(20)) > 0);
    }

    private SampleRecord.Death deathOf(long ordinal) {
        return rig.store.archive().sample("run-1", ordinal).orElseThrow().death();
    }

    private static Stage<String, String> failing(String name) {
        return Stage.of(name, null, (text, context) -> StageOutcome.failed(Failure.status(503)));
    }
}
