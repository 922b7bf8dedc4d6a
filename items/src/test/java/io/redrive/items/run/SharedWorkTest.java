package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.RateLimit;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.store.Balance;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The division of samples between the processes of a run. */
final class SharedWorkTest {

    private static final int SAMPLES = 1_200;

    private final Rig rig = new Rig();
    private final Map<String, Integer> done = new HashMap<>();

    @Test
    void a_late_process_gets_its_share_of_the_samples_that_were_taken_before() {
        Run first = process("first");
        while (first.progress().inFlight() + first.progress().processed() < SAMPLES) {
            step(first, first);
        }
        Run late = process("late");
        finish(first, late);

        assertThat(rig.results).hasSize(SAMPLES).doesNotHaveDuplicates();
        assertThat(done.get("late")).isBetween(SAMPLES / 3, SAMPLES * 2 / 3);
        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .balance())
                .isEqualTo(new Balance(SAMPLES, SAMPLES, 0, 0, 0, 0));
    }

    @Test
    void samples_of_a_stopped_process_are_done_by_the_other() {
        Run first = process("first");
        Run other = process("other");
        for (int i = 0; i < 500; i++) {
            step(first, other);
        }
        first.stop();
        finish(first, other);

        assertThat(rig.results).hasSize(SAMPLES).doesNotHaveDuplicates();
        assertThat(done.get("first")).isLessThan(SAMPLES / 2);
    }

    @Test
    void a_process_keeps_no_more_slow_samples_than_begin_soon() {
        whoJoinsAtTheFourthOfFortyGetsItsShare(this::slowProcess);
    }

    @Test
    void of_slow_batches_too() {
        whoJoinsAtTheFourthOfFortyGetsItsShare(this::slowBatches);
    }

    @Test
    void a_busy_reader_still_reads_for_the_other_processes() {
        Run slow = rig.run(
                Rig.pipeline(counted("slow").rateLimit(RateLimit.perMinute(1))),
                Rig.numbers(SAMPLES),
                builder -> builder.node("slow").settings(RunSettings.STANDARD.withWindow(40)));
        Run quick = process("quick", SAMPLES, counted("quick"));
        Instant begun = rig.time.now();
        while (rig.time.now().isBefore(begun.plusSeconds(120))) {
            step(slow, quick);
        }

        assertThat(done.get("quick")).isGreaterThan(SAMPLES * 9 / 10);
    }

    @Test
    void other_processes_find_half_a_window_of_samples_taken_before_they_joined() {
        Run first = slowWithWindowOfHundred();
        first.drain();
        joinOther();
        first.drain();

        assertThat(unclaimed(first)).isEqualTo(50);
    }

    @Test
    void other_processes_find_half_a_window_of_new_samples() {
        Run first = slowWithWindowOfHundred();
        first.step();
        joinOther();
        first.drain();

        assertThat(unclaimed(first)).isEqualTo(50);
    }

    private Run slowWithWindowOfHundred() {
        return rig.run(
                Rig.pipeline(counted("first").rateLimit(RateLimit.perMinute(1))),
                Rig.numbers(SAMPLES),
                builder -> builder.settings(RunSettings.STANDARD.withWindow(100)));
    }

    /** Adds a process without claims, and lets the first process hear of the second. */
    private void joinOther() {
        rig.store.join("run-1", "other", Duration.ofMinutes(1), rig.time.now());
        rig.time.advance(Duration.ofSeconds(1));
    }

    /** After the next commit. */
    private int unclaimed(Run run) {
        rig.time.advance(RunSettings.STANDARD.commitEvery());
        run.drain();
        return rig.store.archive().find("run-1", rig.time.now()).orElseThrow().unclaimed();
    }

    private Stage<String, String> counted(String node) {
        return Stage.map("s", (String text) -> {
            done.merge(node, 1, Integer::sum);
            return text;
        });
    }

    private void whoJoinsAtTheFourthOfFortyGetsItsShare(BiFunction<String, Integer, Run> process) {
        Run first = process.apply("first", 40);
        while (done.getOrDefault("first", 0) < 4) {
            step(first, first);
        }
        finish(first, process.apply("late", 40));

        assertThat(rig.results).hasSize(40).doesNotHaveDuplicates();
        assertThat(done.get("late")).isBetween(12, 24);
    }

    private Run slowProcess(String node, int samples) {
        return process(node, samples, Stage.map("slow", (String text) -> {
            done.merge(node, 1, Integer::sum);
            rig.time.advance(Duration.ofSeconds(2));
            return text;
        }));
    }

    private Run slowBatches(String node, int samples) {
        return process(node, samples, Stage.batch("slow", 2, (List<String> texts) -> {
            done.merge(node, texts.size(), Integer::sum);
            rig.time.advance(Duration.ofSeconds(2));
            return texts;
        }));
    }

    private Run process(String node, int samples, Stage<String, String> stage) {
        return rig.run(Rig.pipeline(stage.concurrency(1)), Rig.numbers(samples), builder -> builder.node(node));
    }

    private Run process(String node) {
        Stage<String, String> stage = Stage.map("slow", (String text) -> {
                    done.merge(node, 1, Integer::sum);
                    return text;
                })
                .rateLimit(RateLimit.perSecond(20));
        return rig.run(Rig.pipeline(stage), Rig.numbers(SAMPLES), builder -> builder.node(node));
    }

    private void finish(Run one, Run other) {
        for (int i = 0; !one.isOver() || !other.isOver(); i++) {
            step(one, other);
            assertThat(i).as("steps").isLessThan(1_000_000);
        }
    }

    private void step(Run one, Run other) {
        boolean moved = one.step();
        moved |= other.step();
        if (!moved) {
            rig.time.advance(Duration.ofMillis(10));
        }
    }
}
