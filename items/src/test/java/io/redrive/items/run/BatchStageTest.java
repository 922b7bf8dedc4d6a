package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stages with batches of samples. */
final class BatchStageTest {

    private static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(2)
            .backoff(Backoff.fixed(Duration.ofSeconds(1)))
            .jitter(Jitter.none())
            .retryOnStatus(503)
            .build();

    private static final RetryPolicy JITTERED =
            POLICY.toBuilder().maxAttempts(3).jitter(Jitter.full()).build();

    private final Rig rig = new Rig();
    private final List<List<String>> calls = new ArrayList<>();

    @Test
    void a_batch_that_fails_for_good_is_halved_until_the_culprit_stands_alone() {
        RunRecord end =
                rig.runToEnd(Rig.pipeline(failingWith("s5", new IllegalArgumentException("bad row"))), Rig.numbers(8));

        assertThat(end.balance()).isEqualTo(new Balance(8, 7, 0, 1, 0, 0));
        assertThat(calls.get(0)).hasSize(8);
        assertThat(calls).hasSize(7);
        DeadSample dead = rig.store.archive().dead(DeadFilter.ALL, 10).get(0);
        assertThat(dead.sample().id()).isEqualTo("6");
        assertThat(dead.death().reason()).isEqualTo(Reason.NOT_RETRYABLE);
    }

    @Test
    void a_sample_without_an_outcome_dies_and_the_others_go_on() {
        Stage<String, String> forgetful = Stage.batchOf(
                "b",
                4,
                null,
                (List<String> texts, List<SampleContext> contexts) -> texts.stream()
                        .map(text -> text.equals("s2") ? null : StageOutcome.value(text))
                        .toList());
        RunRecord end = rig.runToEnd(Rig.pipeline(forgetful.policy(RetryPolicy.noRetry())), Rig.numbers(8));

        assertThat(end.balance()).isEqualTo(new Balance(8, 7, 0, 1, 0, 0));
        DeadSample dead = rig.store.archive().dead(DeadFilter.ALL, 10).get(0);
        assertThat(dead.death().message()).contains("a stage must give an outcome for each sample");
    }

    @Test
    void a_batch_that_may_be_retried_is_retried_whole() {
        Stage<String, String> flaky =
                Stage.batchOf("b", 4, null, (List<String> texts, List<SampleContext> contexts) -> {
                    calls.add(texts);
                    if (contexts.get(0).attempt() == 1) {
                        throw new HttpStatusException(503, "busy");
                    }
                    return texts.stream().map(StageOutcome::value).toList();
                });
        RunRecord end = rig.runToEnd(Rig.pipeline(flaky.policy(POLICY)), Rig.numbers(4));

        assertThat(calls).hasSize(2).allSatisfy(batch -> assertThat(batch).hasSize(4));
        assertThat(end.balance().succeeded()).isEqualTo(4);
        assertThat(rig.store.archive().retries("run-1")).containsEntry(1, 4L);
    }

    @Test
    void jitter_does_not_tear_a_batch_apart() {
        Stage<String, String> flaky =
                Stage.batchOf("b", 50, null, (List<String> texts, List<SampleContext> contexts) -> {
                    calls.add(texts);
                    if (contexts.get(0).attempt() < 3) {
                        throw new HttpStatusException(503, "busy");
                    }
                    return texts.stream().map(StageOutcome::value).toList();
                });
        RunRecord end = rig.runToEnd(Rig.pipeline(flaky.policy(JITTERED)), Rig.numbers(50));

        assertThat(calls).hasSize(3).allSatisfy(batch -> assertThat(batch).hasSize(50));
        assertThat(end.balance().succeeded()).isEqualTo(50);
    }

    @Test
    void samples_that_come_again_about_the_same_time_share_a_call() {
        Stage<String, String> flaky =
                Stage.batchOf("b", 50, null, (List<String> texts, List<SampleContext> contexts) -> {
                    calls.add(texts);
                    return contexts.stream()
                            .map(context -> context.attempt() == 1
                                    ? StageOutcome.<String>failed(Failure.status(503))
                                    : StageOutcome.value(context.id()))
                            .toList();
                });
        Stage<String, String> patient = flaky.policy(JITTERED).batchWait(Duration.ofSeconds(2));
        RunRecord end = rig.runToEnd(Rig.pipeline(patient), Rig.numbers(50));

        assertThat(calls).hasSize(2);
        assertThat(end.balance().succeeded()).isEqualTo(50);
    }

    @Test
    void a_sample_of_a_batch_that_its_policy_gives_up_on_is_tried_alone() {
        Lane lane = new Lane(0, Stage.batch("b", 3, (List<String> texts) -> texts));
        Sample last = Samples.sample(0);
        lane.addHalves(List.of(last));

        assertThat(lane.next(rig.time.now(), true)).containsExactly(last);
        assertThat(lane.isEmpty()).isTrue();
    }

    @Test
    void each_sample_of_a_batch_has_its_own_outcome() {
        Stage<String, String> mixed =
                Stage.batchOf("b", 4, null, (List<String> texts, List<SampleContext> contexts) -> {
                    calls.add(texts);
                    return List.of(
                            StageOutcome.value("new"),
                            StageOutcome.skip("not wanted"),
                            StageOutcome.failed(Failure.status(400)),
                            StageOutcome.value("other"));
                });
        RunRecord end = rig.runToEnd(Rig.pipeline(mixed.policy(POLICY)), Rig.numbers(4));

        assertThat(end.balance()).isEqualTo(new Balance(4, 2, 1, 1, 0, 0));
        assertThat(calls).hasSize(1);
        assertThat(rig.results).containsExactly("new", "other");
    }

    @Test
    void a_batch_must_give_as_many_results_as_it_got_samples() {
        Stage<String, String> wrong = Stage.batch("b", 2, (List<String> texts) -> texts.subList(0, 1));
        RunRecord end = rig.runToEnd(Rig.pipeline(wrong.policy(RetryPolicy.noRetry())), Rig.numbers(2));

        assertThat(end.balance().succeeded()).isEqualTo(2);
        assertThat(rig.store.archive().errors("run-1", 1).get(0).message())
                .contains("a batch of 2 samples must give as many results, got 1");
    }

    @Test
    void a_batch_waits_to_fill_up_while_more_samples_may_come() {
        List<Sample> samples = new ArrayList<>();
        Lane lane =
                new Lane(0, Stage.batch("b", 3, (List<String> texts) -> texts).batchWait(Duration.ofMillis(50)));
        for (int i = 0; i < 4; i++) {
            samples.add(Samples.sample(i));
            lane.add(samples.get(i), rig.time.now());
        }

        assertThat(lane.next(rig.time.now(), true)).isEqualTo(samples.subList(0, 3));
        assertThat(lane.next(rig.time.now(), true)).isEmpty();
        assertThat(lane.waitsForBatch()).isTrue();
        assertThat(lane.next(rig.time.now().plusMillis(50), true)).isEqualTo(samples.subList(3, 4));
    }

    @Test
    void a_batch_that_nothing_can_join_leaves_at_once() {
        Lane lane = new Lane(0, Stage.batch("b", 3, (List<String> texts) -> texts));
        lane.add(Samples.sample(0), rig.time.now());

        assertThat(lane.next(rig.time.now(), false)).hasSize(1);
    }

    @Test
    void a_size_that_makes_no_batch_is_refused() {
        assertThatThrownBy(() -> Stage.batch("b", 0, (List<String> texts) -> texts))
                .hasMessage("batch size must be between 1 and 10000, got 0");
    }

    private Stage<String, String> failingWith(String culprit, RuntimeException error) {
        return Stage.batch("b", 8, (List<String> texts) -> {
                    calls.add(texts);
                    if (texts.contains(culprit)) {
                        throw error;
                    }
                    return texts;
                })
                .policy(POLICY);
    }
}
