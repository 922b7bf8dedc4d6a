package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RateLimit;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.Balance;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run ends with each sample once, under random settings: small windows, batches, order, several processes. */
final class AnySettingsTest {

    private static final int SAMPLES = 60;

    private final Rig rig = new Rig();

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void each_sample_has_its_end(int seed) {
        Random random = new Random(seed);
        boolean ordered = random.nextInt(3) == 0;
        ItemPipeline<String, String> pipeline = Rig.pipeline(stage("first", random), stage("second", random));
        int starts = random.nextInt(3);
        for (int i = 0; i < starts; i++) {
            Run ends = run(pipeline, ordered, random);
            steps(random.nextInt(60), List.of(ends));
            if (random.nextBoolean()) {
                ends.stop();
                rig.finish(ends);
            } else {
                // A killed process: the lease expires.
                rig.time.advance(RunSettings.STANDARD.lease().plusSeconds(1));
            }
        }
        List<Run> processes = random.nextBoolean() && !ordered
                ? List.of(run(pipeline, false, random), run(pipeline, false, random))
                : List.of(run(pipeline, ordered, random));
        steps(500_000, processes);

        assertThat(processes).as("steps").allMatch(Run::isOver);
        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .balance())
                .isEqualTo(new Balance(SAMPLES, SAMPLES, 0, 0, 0, 0));
        assertThat(rig.results).hasSize(SAMPLES).doesNotHaveDuplicates();
        if (ordered) {
            assertThat(rig.results)
                    .isEqualTo(IntStream.range(0, SAMPLES)
                            .mapToObj(i -> "s" + i + "-first-second")
                            .toList());
        }
    }

    /** Steps all runs to their end, and advances the time when no run moves; fails after too many steps. */
    private void steps(int most, List<Run> processes) {
        for (int i = 0; i < most && !processes.stream().allMatch(Run::isOver); i++) {
            boolean moved = false;
            for (Run each : processes) {
                moved |= each.step();
            }
            if (!moved) {
                Duration wait = processes.stream()
                        .filter(each -> !each.isOver())
                        .map(Run::untilNextStep)
                        .min(Duration::compareTo)
                        .orElse(Duration.ZERO);
                rig.time.advance(wait.isZero() ? Duration.ofMillis(1) : wait);
            }
        }
    }

    private Run run(ItemPipeline<String, String> pipeline, boolean ordered, Random random) {
        RunSettings settings = RunSettings.STANDARD
                .withWindow(oneOf(random, 1, 2, 3, 10, 100))
                .withWindowBytes(oneOf(random, 1, 10, 100, 10_000))
                .withCommits(Duration.ofMillis(oneOf(random, 0, 50, 5_000)), oneOf(random, 1, 10, 1_000));
        return rig.run(pipeline, Rig.numbers(SAMPLES), builder -> {
            Run.Builder<String, String> any = builder.settings(settings).node("n" + random.nextInt());
            return ordered ? any.ordered() : any;
        });
    }

    /** Fails one time in three, for single samples or for a whole batch. */
    private static Stage<String, String> stage(String name, Random random) {
        int size = oneOf(random, 1, 1, 4, 50);
        Random failures = new Random(random.nextInt());
        Stage<String, String> stage = Stage.<String, String>batchOf(name, size, null, (texts, contexts) -> {
                    if (failures.nextInt(6) == 0) {
                        throw new IllegalStateException("on purpose");
                    }
                    return texts.stream()
                            .map(text -> failures.nextInt(6) == 0
                                    ? StageOutcome.<String>failed(Failure.status(503))
                                    : StageOutcome.value(text + "-" + name))
                            .toList();
                })
                .policy(RetryPolicy.builder()
                        .maxAttempts(1_000)
                        .backoff(Backoff.fixed(Duration.ofMillis(oneOf(random, 0, 10, 20_000))))
                        .jitter(random.nextBoolean() ? Jitter.full() : Jitter.none())
                        .build())
                .concurrency(oneOf(random, 1, 4));
        if (random.nextInt(3) == 0) {
            stage = stage.rateLimit(RateLimit.perSecond(10));
        }
        return random.nextInt(3) == 0
                ? stage.retryBudget(
                        RetryBudget.builder(name).share(0.1).reserve(0).build())
                : stage;
    }

    private static int oneOf(Random random, int... values) {
        return values[random.nextInt(values.length)];
    }
}
