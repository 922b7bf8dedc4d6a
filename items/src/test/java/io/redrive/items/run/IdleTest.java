package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Failure;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A run that can only wait sleeps, and does not step again and again. */
final class IdleTest {

    private final Rig rig = new Rig();
    private final List<Runnable> underWay = new ArrayList<>();
    private boolean read;

    /** The source is read at once; calls of stages begin and do not end. */
    private final Executor slow = task -> {
        if (read) {
            underWay.add(task);
        } else {
            read = true;
            task.run();
        }
    };

    @Test
    void while_the_window_is_full() {
        Run run = rig.run(
                Rig.pipeline(Stage.map("slow", text -> text)),
                Rig.numbers(10),
                builder -> builder.executor(slow).settings(RunSettings.STANDARD.withWindow(4)));

        assertThat(untilNextStepOf(run)).isPositive();
        assertThat(run.progress().inFlight()).isEqualTo(4);
    }

    @Test
    void while_a_server_wants_to_be_left_alone_and_a_batch_has_waited_long_enough() {
        Stage<String, String> stage = Stage.batchOf(
                "api",
                30,
                null,
                (texts, contexts) -> texts.stream()
                        .map(text -> StageOutcome.<String>failed(
                                new Failure.Status(429, Optional.of(Duration.ofMinutes(1)))))
                        .toList());
        Run run = rig.run(Rig.pipeline(stage.concurrency(1)), Rig.numbers(50));

        assertThat(untilNextStepOf(run)).isPositive();
        assertThat(run.progress().waiting()).isEqualTo(30);
    }

    @Test
    void while_a_batch_that_has_waited_long_enough_finds_all_workers_busy() {
        Stage<String, String> stage =
                Stage.<String>batch("slow", 4, texts -> texts).concurrency(1);
        Run run = rig.run(Rig.pipeline(stage), Rig.numbers(7), builder -> builder.executor(slow));

        assertThat(untilNextStepOf(run)).isPositive();
    }

    @Test
    void a_stopping_run_with_a_call_under_way_sleeps() {
        Run run = rig.run(
                Rig.pipeline(Stage.map("slow", text -> text)),
                Rig.numbers(10),
                builder -> builder.executor(slow).settings(RunSettings.STANDARD.withStopLimit(Duration.ofHours(1))));
        run.drain();
        run.stop();

        assertThat(untilNextStepOf(run)).isPositive();
        assertThat(run.isOver()).isFalse();
    }

    @Test
    void a_stopping_run_with_a_slow_sink_sleeps() {
        Run run = rig.run(
                Rig.pipeline(Stage.map("quick", text -> text)),
                Rig.numbers(3),
                builder -> builder.executor(task -> {
                            // The source, then the stage; the third to run is the sink.
                            if (underWay.size() < 2) {
                                task.run();
                            }
                            underWay.add(task);
                        })
                        .settings(RunSettings.STANDARD.withStopLimit(Duration.ofSeconds(1))));
        run.drain();
        run.stop();

        assertThat(untilNextStepOf(run)).isPositive();
        assertThat(run.isOver()).isFalse();
    }

    /** The wait of a run after the steps of five seconds, in which beats, looks and commits fall due. */
    private Duration untilNextStepOf(Run run) {
        run.drain();
        rig.time.advance(Duration.ofSeconds(5));
        run.drain();
        return run.untilNextStep();
    }
}
