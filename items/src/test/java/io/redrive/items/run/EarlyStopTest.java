package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HttpStatusException;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stage whose first calls all fail alike stops its run. */
final class EarlyStopTest {

    private static final RetryPolicy ONCE = RetryPolicy.noRetry();

    private final Rig rig = new Rig();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean mended = new AtomicBoolean();

    @Test
    void twenty_calls_that_fail_alike_stop_the_run_with_their_message() {
        Run run = rig.run(pipeline(ONCE, (text, sample) -> failed(401)).build(), Rig.numbers(5_000));

        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(end.balance().dead()).isBetween(20L, 400L);
        assertThat(end.balance().notStarted()).isGreaterThan(4_500);
        assertThatThrownBy(run::await)
                .isInstanceOfSatisfying(StageNeverSucceeded.class, stop -> {
                    assertThat(stop.stage()).isEqualTo("call");
                    assertThat(stop.errorType()).isEqualTo("http_401");
                    assertThat(stop.run()).isEqualTo("run-1");
                })
                .hasMessageContaining(
                        "run 'run-1' stopped: the first 20 calls of stage 'call' all failed with http_401")
                .hasMessageContaining("then resume the run");
    }

    @Test
    void the_run_goes_on_once_the_cause_is_gone() {
        ItemPipeline<String, String> pipeline =
                pipeline(ONCE, (text, sample) -> answer(text, 401)).build();
        assertThat(rig.runToEnd(pipeline, Rig.numbers(200)).status()).isEqualTo(RunStatus.STOPPED);

        mended.set(true);
        rig.store.archive().reprocess(DeadFilter.ofRun("run-1"), rig.time.now());
        RunRecord end = rig.runToEnd(pipeline, Rig.numbers(200));

        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(rig.results).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void one_success_keeps_the_run_going() {
        RunRecord end = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> calls.incrementAndGet() == 5 ? StageOutcome.value(text) : failed(401))
                        .build(),
                Rig.numbers(100));

        assertThat(end.balance().dead()).isEqualTo(99);
    }

    @Test
    void failures_of_different_types_keep_the_run_going() {
        RunRecord end = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> failed(calls.incrementAndGet() == 5 ? 400 : 401))
                        .build(),
                Rig.numbers(100));

        assertThat(end.balance().dead()).isEqualTo(100);
    }

    @Test
    void skipped_samples_count_neither_as_failures_nor_as_successes() {
        RunRecord end = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> sample.ordinal() % 2 == 0 ? StageOutcome.skip("even") : failed(401))
                        .build(),
                Rig.numbers(5_000));

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(end.balance().dead()).isBetween(20L, 400L);
    }

    @Test
    void only_skipped_samples_never_stop_a_run() {
        RunRecord end = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> StageOutcome.skip("none")).build(), Rig.numbers(100));

        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void retries_are_calls_and_the_run_stops_as_soon_as_the_policy_gives_up_on_one_sample() {
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(4)
                .backoff(Backoff.fixed(Duration.ofMinutes(10)))
                .build();

        RunRecord end =
                rig.runToEnd(pipeline(slow, (text, sample) -> failed(500)).build(), Rig.numbers(30));

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(end.balance().dead()).isLessThan(30);
    }

    @Test
    void an_outage_that_the_policy_survives_stops_nothing() {
        RetryPolicy patient = RetryPolicy.builder()
                .maxAttempts(3)
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .build();

        RunRecord end = rig.runToEnd(
                pipeline(patient, (text, sample) -> sample.attempt() < 3 ? failed(503) : StageOutcome.value(text))
                        .build(),
                Rig.numbers(100));

        assertThat(end.balance().succeeded()).isEqualTo(100);
    }

    @Test
    void a_server_that_asks_for_time_is_no_reason_to_stop() {
        RunRecord end = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> {
                            throw new HttpStatusException(429, "busy", Duration.ofMillis(1));
                        })
                        .build(),
                Rig.numbers(30));

        assertThat(end.status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void a_run_with_nothing_left_to_call_has_its_own_end() {
        Run run = rig.run(pipeline(ONCE, (text, sample) -> failed(401)).build(), Rig.numbers(20));

        assertThat(rig.finish(run).status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void the_number_of_calls_is_a_setting_that_may_be_off() {
        RunRecord few = rig.runToEnd(
                pipeline(ONCE, (text, sample) -> failed(401)).earlyStop(3).build(), Rig.numbers(100));
        assertThat(few.balance().dead()).isBetween(3L, 99L);

        RunRecord all = new Rig()
                .runToEnd(
                        pipeline(ONCE, (text, sample) -> failed(401))
                                .withoutEarlyStop()
                                .build(),
                        Rig.numbers(100));
        assertThat(all.balance().dead()).isEqualTo(100);
        assertThatThrownBy(() -> ItemPipeline.named("p", Codec.text()).earlyStop(0))
                .hasMessage("early stop must be after at least 1 call, got 0; see withoutEarlyStop()");
    }

    @Test
    void a_batch_that_fails_is_one_call() {
        Stage<String, String> batch = Stage.<String>batch("call", 10, texts -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("no");
                })
                .policy(ONCE);
        RunRecord end = rig.runToEnd(
                ItemPipeline.named("batches", Codec.text()).stage(batch).build(), Rig.numbers(5_000));

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(calls.get()).isBetween(20, 400);
    }

    private StageOutcome<String> answer(String text, int status) {
        return mended.get() ? StageOutcome.value(text) : failed(status);
    }

    private static StageOutcome<String> failed(int status) {
        return StageOutcome.failed(Failure.status(status));
    }

    private static ItemPipeline.Builder<String, String> pipeline(
            RetryPolicy policy, Stage.Function<String, String> function) {
        return ItemPipeline.named("early", Codec.text())
                .stage(Stage.of("call", Codec.text(), function).policy(policy))
                .failureBudget(FailureBudget.unlimited());
    }
}
