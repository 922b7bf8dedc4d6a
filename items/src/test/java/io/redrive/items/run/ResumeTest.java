package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.SourceException;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.Balance;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stopping, cancelling, crashing and going on. */
final class ResumeTest {

    private static final RunSettings SMALL = RunSettings.STANDARD.withWindow(10).withCommits(Duration.ZERO, 1);

    private final Rig rig = new Rig();
    private final ItemPipeline<String, String> same = Rig.pipeline(Stage.map("same", s -> s));

    @Test
    void a_stopped_run_goes_on_from_the_stored_stages() {
        Run run = rig.run(same, Rig.numbers(100), builder -> builder.settings(SMALL));
        for (int i = 0; i < 12; i++) {
            run.step();
        }
        run.stop();
        RunRecord stopped = rig.finish(run);
        int before = rig.results.size();

        assertThat(stopped.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(before).isBetween(1, 99);
        assertThat(stopped.balance().in()).isEqualTo(100);
        assertThat(stopped.balance().notStarted()).isEqualTo(100 - before);

        RunRecord end = rig.runToEnd(same, Rig.numbers(100));
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.endedAt()).isPresent();
        assertThat(rig.results).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void an_ordered_run_keeps_its_order_when_it_goes_on_with_a_smaller_window() {
        Stage<String, String> stage = Stage.<String, String>of(
                        "flaky",
                        null,
                        (text, context) -> context.ordinal() % 10 == 0 && context.attempt() == 1
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(RetryPolicy.builder().maxAttempts(2).build());
        Run run = rig.run(
                Rig.pipeline(stage),
                Rig.numbers(100),
                builder -> builder.ordered().settings(SMALL));
        run.drain();
        run.stop();
        assertThat(rig.finish(run).balance().begun()).isEqualTo(10);
        rig.finish(rig.run(
                Rig.pipeline(stage),
                Rig.numbers(100),
                builder -> builder.ordered().settings(SMALL.withWindow(3))));

        assertThat(rig.results)
                .isEqualTo(IntStream.range(0, 100).mapToObj(i -> "s" + i).toList());
    }

    @Test
    void a_run_that_had_taken_all_samples_and_not_heard_of_the_end_goes_on_too() {
        Run run = rig.run(same, Rig.numbers(3), builder -> builder.settings(SMALL.withWindow(3)));
        while (run.progress().inFlight() < 3) {
            run.step();
        }
        run.stop();
        RunRecord stopped = rig.finish(run);
        assertThat(stopped.totals().taken()).isEqualTo(3);
        assertThat(stopped.totals().sourceEnded()).isFalse();

        RunRecord end = rig.runToEnd(same, Rig.numbers(3));
        assertThat(end.balance()).isEqualTo(new Balance(3, 3, 0, 0, 0, 0));
        assertThat(end.fingerprint()).isEqualTo(stopped.fingerprint()).isNotZero();
    }

    @Test
    void an_ended_run_keeps_its_status_when_it_is_opened_and_stopped_again() {
        rig.runToEnd(same, Rig.numbers(3));
        rig.run(same, Rig.numbers(3)).close();

        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void a_cancelled_run_tells_its_processes_through_the_store() {
        Run run = rig.run(same, Rig.numbers(1_000), builder -> builder.settings(SMALL));
        for (int i = 0; i < 5; i++) {
            run.step();
        }
        rig.store.archive().cancel("run-1", rig.time.now());
        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(end.balance().notStarted()).isPositive();
        assertThat(rig.runToEnd(same, Rig.numbers(1_000)).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void a_run_can_be_cancelled_by_its_own_process() {
        Run run = rig.run(same, Rig.numbers(1_000), builder -> builder.settings(SMALL));
        run.step();
        run.cancel();

        assertThat(rig.finish(run).status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void a_failing_source_stops_the_run_and_its_samples_so_far_are_kept() {
        AtomicInteger reads = new AtomicInteger();
        SampleSource<String> failing = () -> new SampleSource.Cursor<>() {
            private int next;

            @Override
            public Optional<Item<String>> next() throws IOException {
                if (next == 30 && reads.incrementAndGet() == 1) {
                    throw new IOException("connection reset");
                }
                return next == 50 ? Optional.empty() : Optional.of(Item.of("id" + next, "s" + next++));
            }
        };
        Run run = rig.run(same, failing);
        RunRecord stopped = rig.finish(run);

        assertThat(stopped.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(stopped.totals().taken()).isEqualTo(30);
        assertThatThrownBy(run::await)
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("source of run 'run-1' failed after 30 samples")
                .hasMessageContaining("connection reset")
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(rig.runToEnd(same, failing).balance()).isEqualTo(new Balance(50, 50, 0, 0, 0, 0));
        assertThat(rig.results).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void a_changed_source_is_refused() {
        stopAfterSome();
        Run other = rig.run(
                same,
                SampleSource.of(IntStream.range(0, 100)
                        .mapToObj(i -> i == 3 ? "changed" : "s" + i)
                        .toList()));
        RunRecord refused = rig.finish(other);

        assertThat(refused.status()).isEqualTo(RunStatus.STOPPED);
        assertThatThrownBy(other::await)
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("source of run 'run-1' has changed")
                .hasMessageContaining("resume with the source it began with, or start a new run");
        assertThat(rig.runToEnd(same, Rig.numbers(100)).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void a_shorter_source_is_refused_and_a_longer_source_is_not() {
        long taken = stopAfterSome();
        Run shorter = rig.run(same, Rig.numbers((int) taken - 1));
        rig.finish(shorter);

        assertThatThrownBy(shorter::await).hasMessageContaining("it had at least " + taken + " samples");
        assertThat(rig.runToEnd(same, Rig.numbers(200)).balance()).isEqualTo(new Balance(200, 200, 0, 0, 0, 0));
    }

    @Test
    void a_run_that_has_read_its_source_needs_none() {
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofHours(1)))
                .jitter(Jitter.none())
                .build();
        ItemPipeline<String, String> pipeline = Rig.pipeline(Stage.<String, String>of(
                        "s",
                        null,
                        (text, context) -> context.attempt() == 1
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(slow));
        Run run = rig.run(pipeline, Rig.numbers(5));
        run.drain();
        run.stop();
        assertThat(rig.finish(run).balance().begun()).isEqualTo(5);

        assertThat(rig.runToEnd(pipeline, null).balance()).isEqualTo(new Balance(5, 5, 0, 0, 0, 0));
        assertThat(rig.time.nanos()).isGreaterThanOrEqualTo(Duration.ofHours(1).toNanos());
    }

    @Test
    void a_run_with_an_unread_source_needs_the_source() {
        stopAfterSome();

        assertThatThrownBy(() -> rig.runToEnd(same, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run 'run-1' must have a source until it has read all of it");
    }

    @Test
    void a_run_is_not_resumed_with_other_stages() {
        stopAfterSome();

        assertThatThrownBy(() -> rig.runToEnd(Rig.pipeline(Stage.map("other", s -> s)), Rig.numbers(100)))
                .hasMessageContaining("run 'run-1' must be resumed with the pipeline it began with");
    }

    @Test
    void several_runs_share_a_store() {
        List<String> others = new ArrayList<>();
        Run one = rig.run(same, Rig.numbers(50), builder -> builder.settings(SMALL));
        Run two = rig.run(
                same,
                Rig.numbers(70),
                builder -> builder.id("run-2").settings(SMALL).to(Sink.each(result -> others.add(result.value()))));
        while (!one.isOver() || !two.isOver()) {
            boolean moved = one.step() | two.step();
            if (!moved) {
                rig.time.advance(Duration.ofMillis(50));
            }
        }

        assertThat(rig.results).hasSize(50).doesNotHaveDuplicates();
        assertThat(others).hasSize(70).doesNotHaveDuplicates();
        assertThat(rig.store.archive().list(Optional.empty(), 10, rig.time.now()))
                .extracting(RunRecord::status)
                .containsOnly(RunStatus.COMPLETED);
    }

    @Test
    void a_process_without_a_source_stops_when_the_run_has_no_reader() {
        Run reader = rig.run(
                same, Rig.numbers(100), builder -> builder.settings(SMALL).node("reader"));
        reader.step();
        List<String> others = new ArrayList<>();
        Run helper = rig.run(
                same,
                null,
                builder -> builder.node("helper").settings(SMALL).to(Sink.each(result -> others.add(result.value()))));
        helper.step();
        for (int i = 0; i < 6; i++) {
            reader.step();
            helper.step();
        }
        reader.stop();
        rig.finish(reader);
        rig.finish(helper);

        assertThatThrownBy(helper::await).hasMessageContaining("no process that reads it; resume it with the source");
        List<String> all = new ArrayList<>(rig.results);
        all.addAll(others);
        assertThat(all).doesNotHaveDuplicates();
    }

    /** Returns how many samples were taken. */
    private long stopAfterSome() {
        Run run = rig.run(same, Rig.numbers(100), builder -> builder.settings(SMALL));
        for (int i = 0; i < 12; i++) {
            run.step();
        }
        run.stop();
        return rig.finish(run).totals().taken();
    }
}
