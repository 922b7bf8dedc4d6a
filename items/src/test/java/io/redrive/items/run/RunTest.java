package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.StatusThresholds;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunTest {

    private final Rig rig = new Rig();

    @Test
    void every_sample_goes_through_every_stage_to_the_sink() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("upper", String::toUpperCase), Stage.map("twice", s -> s + s)), Rig.numbers(3));

        assertThat(rig.results).containsExactly("S0S0", "S1S1", "S2S2");
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.balance()).isEqualTo(new Balance(3, 3, 0, 0, 0, 0));
    }

    @Test
    void an_empty_run_is_completed() {
        RunRecord end = rig.runToEnd(Rig.pipeline(Stage.map("same", s -> s)), Rig.numbers(0));

        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.balance()).isEqualTo(new Balance(0, 0, 0, 0, 0, 0));
    }

    @Test
    void only_the_failed_stage_is_tried_again() {
        Map<String, Integer> calls = new HashMap<>();
        Stage<String, String> first = Stage.map("first", s -> {
            calls.merge("first", 1, Integer::sum);
            return s;
        });
        Stage<String, String> second = Stage.of("second", null, (s, context) -> {
            calls.merge("second", 1, Integer::sum);
            return context.attempt() < 3 ? StageOutcome.failed(Failure.status(429)) : StageOutcome.value(s);
        });

        RunRecord end = rig.runToEnd(Rig.pipeline(first, second), Rig.numbers(1));

        assertThat(calls).containsEntry("first", 1).containsEntry("second", 3);
        assertThat(end.balance().succeeded()).isEqualTo(1);
        assertThat(rig.store.archive().attempts("run-1", 0))
                .extracting(
                        StageAttempt::stage,
                        StageAttempt::attempt,
                        attempt -> attempt.status().code())
                .containsExactly(
                        tuple("first", 1, "success"),
                        tuple("second", 1, "retrying"),
                        tuple("second", 2, "retrying"),
                        tuple("second", 3, "success"));
    }

    @Test
    void one_bad_sample_does_not_stop_the_others() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("parse", s -> {
                    if (s.equals("s1")) {
                        throw new IllegalArgumentException("malformed");
                    }
                    return s;
                })),
                Rig.numbers(30));

        assertThat(end.balance()).isEqualTo(new Balance(30, 29, 0, 1, 0, 0));
        List<DeadSample> dead = rig.store.archive().dead(DeadFilter.ofRun("run-1"), 10);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).stage()).isEqualTo("parse");
        assertThat(dead.get(0).death().errorType()).isEqualTo("IllegalArgumentException");
    }

    @Test
    void a_filter_skips_samples_and_that_is_no_failure() {
        RunRecord end = rig.runToEnd(Rig.pipeline(Stage.filter("even", s -> s.charAt(1) % 2 == 0)), Rig.numbers(10));

        assertThat(end.balance()).isEqualTo(new Balance(10, 5, 5, 0, 0, 0));
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void the_thresholds_of_the_pipeline_decide_the_status_of_its_run() {
        ItemPipeline<String, String> strict = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.<String, String>of(
                                "parse",
                                null,
                                (s, context) -> context.ordinal() == 0
                                        ? StageOutcome.failed(Failure.kind("malformed"))
                                        : StageOutcome.value(s))
                        .policy(RetryPolicy.noRetry()))
                .thresholds(new StatusThresholds(1, 0.99))
                .build();

        assertThat(rig.runToEnd(strict, Rig.numbers(100)).status()).isEqualTo(RunStatus.PARTIAL_SUCCESS);
    }

    @Test
    void a_line_of_the_audit_trail_tells_everything_about_its_attempt() {
        Stage<String, String> slow = Stage.<String, String>of("llm", null, (s, context) -> {
                    rig.time.advance(Duration.ofSeconds(context.attempt()));
                    return switch (context.attempt()) {
                        case 1 -> StageOutcome.failed(Failure.status(503));
                        case 2 -> throw new IllegalStateException("no quota");
                        default -> StageOutcome.skip("too short");
                    };
                })
                .policy(RetryPolicy.builder()
                        .maxAttempts(3)
                        .backoff(Backoff.linear(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofHours(1)))
                        .jitter(Jitter.none())
                        .build())
                .config("model=small");
        String noQuota = "java.lang.IllegalStateException: no quota";
        Instant began = rig.time.now();
        rig.runToEnd(Rig.pipeline(slow), Rig.numbers(1));

        List<StageAttempt> trail = rig.store.archive().attempts("run-1", 0);
        assertThat(trail)
                .extracting(
                        StageAttempt::sequence,
                        StageAttempt::attempt,
                        line -> line.status().code(),
                        StageAttempt::errorType,
                        StageAttempt::message,
                        StageAttempt::delay,
                        StageAttempt::duration)
                .containsExactly(
                        tuple(1, 1, "retrying", "http_503", "HTTP status 503", minutes(1), Duration.ofSeconds(1)),
                        tuple(2, 2, "retrying", "IllegalStateException", noQuota, minutes(2), Duration.ofSeconds(2)),
                        tuple(3, 3, "skipped", "", "too short", Duration.ZERO, Duration.ofSeconds(3)));
        assertThat(trail).extracting(StageAttempt::configHash).containsOnly(slow.configHash());
        assertThat(trail)
                .extracting(StageAttempt::at)
                .containsExactly(began, began.plusSeconds(61), began.plusSeconds(61 + 122));
    }

    private static Duration minutes(int count) {
        return Duration.ofMinutes(count);
    }

    @Test
    void a_batch_stage_gets_full_batches_and_the_rest_at_the_end() {
        List<Integer> sizes = new ArrayList<>();
        rig.runToEnd(
                Rig.pipeline(Stage.batch("label", 4, values -> {
                    sizes.add(values.size());
                    return values;
                })),
                Rig.numbers(10));

        assertThat(sizes).containsExactly(4, 4, 2);
        assertThat(rig.results).hasSize(10);
    }

    @Test
    void dead_samples_are_reprocessed_in_the_same_run() {
        boolean[] broken = {true};
        ItemPipeline<String, String> pipeline = Rig.pipeline(
                Stage.map("first", String::toUpperCase),
                Stage.map("llm", (String s) -> {
                            if (broken[0]) {
                                throw new IllegalStateException("bad key");
                            }
                            return s + "!";
                        })
                        .policy(RetryPolicy.noRetry()));
        RunRecord failed = rig.runToEnd(pipeline, Rig.numbers(5));
        assertThat(failed.status()).isEqualTo(RunStatus.FAILED);

        broken[0] = false;
        long revived =
                rig.store.archive().reprocess(DeadFilter.ofPipeline("texts").atStage("llm"), rig.time.now());
        RunRecord mended = rig.runToEnd(pipeline, null);

        assertThat(revived).isEqualTo(5);
        assertThat(mended.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(mended.balance()).isEqualTo(new Balance(5, 5, 0, 0, 0, 0));
        assertThat(rig.results).containsExactly("S0!", "S1!", "S2!", "S3!", "S4!");
    }

    @Test
    void waits_follow_the_policy_and_hold_no_worker() {
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMinutes(5)))
                .jitter(Jitter.none())
                .build();
        Run run = rig.run(
                Rig.pipeline(Stage.<String, String>of(
                                "flaky",
                                null,
                                (s, context) -> s.equals("s0") && context.attempt() == 1
                                        ? StageOutcome.failed(Failure.kind("timeout"))
                                        : StageOutcome.value(s))
                        .policy(policy)
                        .concurrency(1)),
                Rig.numbers(3));

        run.drain();

        assertThat(rig.results).containsExactly("s1", "s2");
        assertThat(run.progress().waiting()).isEqualTo(1);
        assertThat(rig.finish(run).balance().succeeded()).isEqualTo(3);
        assertThat(rig.time.nanos())
                .isGreaterThanOrEqualTo(Duration.ofMinutes(5).toNanos());
    }

    @Test
    void a_run_on_threads_ends_by_itself() {
        RunRecord end = Run.of(
                        Rig.pipeline(Stage.map("same", s -> s), Stage.map("upper", String::toUpperCase)), rig.store)
                .from(Rig.numbers(10_000))
                .run();

        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.balance()).isEqualTo(new Balance(10_000, 10_000, 0, 0, 0, 0));
    }
}
