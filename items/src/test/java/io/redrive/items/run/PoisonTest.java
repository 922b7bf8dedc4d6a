package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Only samples that kill their process end as poison. */
final class PoisonTest {

    private static final String POISON = "s23";

    private final Rig rig = new Rig();
    private final ItemPipeline<String, String> pipeline = Rig.pipeline(
            Stage.map("first", text -> text),
            Stage.<String>map("kills", text -> {
                        if (text.equals(POISON)) {
                            died = true;
                        }
                        if (text.equals(this.failing) && this.failures++ < 20) {
                            throw new IllegalStateException("not yet");
                        }
                        return text;
                    })
                    .policy(RetryPolicy.builder()
                            .maxAttempts(30)
                            .backoff(Backoff.fixed(Duration.ofMinutes(3)))
                            .build()));
    /** Fails often, with a failure that is retried. */
    private String failing = "none";

    private int failures;

    /** The death of a process, after which the store hears no call of the process. */
    private boolean died;

    @Test
    void a_sample_that_kills_its_process_ends_as_poison_and_all_others_succeed() {
        int processes = runUntilOver(builder -> builder);

        RunRecord end = rig.store.archive().find("run-1", rig.time.now()).orElseThrow();
        assertThat(end.balance()).isEqualTo(new Balance(60, 59, 0, 1, 0, 0));
        assertThat(rig.results.stream().distinct()).hasSize(59).doesNotContain(POISON);
        DeadSample dead = rig.store.archive().dead(DeadFilter.ALL, 1).get(0);
        assertThat(dead.sample().id()).isEqualTo("24");
        assertThat(dead.death().reason()).isEqualTo(Reason.POISON);
        assertThat(dead.death().message()).contains("its process died 3 times");
        assertThat(dead.stage()).isIn("first", "kills");
        List<StageAttempt> trail =
                rig.store.archive().attempts("run-1", dead.sample().ordinal());
        assertThat(trail.get(trail.size() - 1).errorType()).isEqualTo("process_died");
        // The first process died before samples were watched, three more with the sample marked.
        assertThat(processes).isEqualTo(5);
    }

    @Test
    void an_ordered_run_survives_a_sample_that_kills_its_process() {
        runUntilOver(builder -> builder.ordered());

        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .balance())
                .isEqualTo(new Balance(60, 59, 0, 1, 0, 0));
    }

    @Test
    void a_neighbour_that_waits_out_its_backoff_while_processes_die_is_not_counted() {
        failing = "s20";
        runUntilOver(builder -> builder);

        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .balance())
                .isEqualTo(new Balance(60, 59, 0, 1, 0, 0));
        assertThat(rig.results).contains("s20").doesNotContain(POISON);
    }

    @Test
    void samples_of_processes_that_were_killed_from_outside_succeed() {
        for (int i = 0; i < 3; i++) {
            Run run =
                    rig.run(same(), Rig.numbers(60), builder -> builder.settings(RunSettings.STANDARD.withWindow(10)));
            for (int steps = 0; steps < 3; steps++) {
                run.step();
            }
            rig.time.advance(Duration.ofMinutes(1));
        }
        RunRecord end = rig.runToEnd(same(), Rig.numbers(60));

        assertThat(end.balance()).isEqualTo(new Balance(60, 60, 0, 0, 0, 0));
    }

    private static ItemPipeline<String, String> same() {
        return Rig.pipeline(Stage.map("first", text -> text), Stage.map("kills", text -> text));
    }

    @Test
    void a_sample_that_was_brought_back_has_all_its_chances_again() {
        runUntilOver(builder -> builder);
        assertThat(rig.store.archive().reprocess(DeadFilter.ALL, rig.time.now()))
                .isEqualTo(1);

        RunRecord end = rig.finish(rig.run(same(), null));

        assertThat(end.balance()).isEqualTo(new Balance(60, 60, 0, 0, 0, 0));
    }

    /** Starts one process after the other until the run ends. Returns the number of processes. */
    private int runUntilOver(UnaryOperator<Run.Builder<String, String>> settings) {
        for (int processes = 1; processes <= 20; processes++) {
            died = false;
            Run run = rig.run(
                    pipeline,
                    Rig.numbers(60),
                    builder -> settings.apply(builder.settings(RunSettings.STANDARD.withWindow(40))));
            while (!run.isOver() && !died) {
                if (!run.step() && !died && !run.isOver()) {
                    Duration wait = run.untilNextStep();
                    rig.time.advance(wait.isZero() ? Duration.ofMillis(1) : wait);
                }
            }
            if (!died) {
                return processes;
            }
            // The lease of the dead process expires.
            rig.time.advance(Duration.ofMinutes(1));
        }
        throw new AssertionError("the run never ended: "
                + List.of(rig.store.archive().find("run-1", rig.time.now()).orElseThrow()));
    }
}
