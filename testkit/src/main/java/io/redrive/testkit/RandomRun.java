package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.JsonLines;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleContext;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.Totals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A random pipeline with random failures, stops, crashes and a reprocessing. The balance always matches the samples,
 * and in the end the output equals the output of a plain loop over the samples. The seed decides every choice.
 */
final class RandomRun {

    private static final int MAX_STEPS = 100_000;

    private final UnaryOperator<RunDriver> reopened;
    private final ManualTime time;
    private final Path output;
    private final SplittableRandom random;
    private final long seed;
    private final int samples;
    private final int attempts;
    private final boolean ordered;
    private final List<Integer> batches = new ArrayList<>();
    private final RunSettings settings;
    private RunDriver on;
    private boolean mended;

    /** The result of a stage for a sample and an attempt, the same for the run and for the plain loop. */
    private enum Fate {
        PASS,
        SKIP,
        RETRY,
        FATAL
    }

    /** A run in this store; {@code reopened} opens the store after a crash. */
    RandomRun(long seed, RunDriver on, UnaryOperator<RunDriver> reopened) {
        this.seed = seed;
        this.on = on;
        this.reopened = reopened;
        time = on.time();
        output = on.dir().resolve("out.jsonl");
        random = new SplittableRandom(seed);
        samples = random.nextInt(60);
        attempts = 1 + random.nextInt(3);
        ordered = random.nextInt(4) == 0;
        int stages = 1 + random.nextInt(4);
        for (int i = 0; i < stages; i++) {
            batches.add(random.nextInt(3) == 0 ? 2 + random.nextInt(5) : 1);
        }
        settings = RunSettings.STANDARD
                .withWindow(1 + random.nextInt(20))
                .withCommits(Duration.ofMillis(random.nextInt(100)), 1 + random.nextInt(30));
    }

    /** Runs to the end, then reprocesses the dead samples. */
    void live() throws Exception {
        for (int session = 0; session == 0 || !on.run().status().isFinal(); session++) {
            live(session < 3);
            checkUnderWay(on.run());
        }
        check(on.run(), expected(false));
        mended = true;
        long dead = on.run().balance().dead();
        assertThat(on.archive().reprocess(DeadFilter.ofRun("run-1"), time.now()))
                .isEqualTo(dead);
        live(false);
        check(on.run(), expected(true));
        assertThat(on.run().balance().dead()).isZero();
    }

    /** Runs one process, which ends, is stopped, or dies. */
    private void live(boolean perhapsCutShort) throws Exception {
        Sink<String> sink = JsonLines.sink(output);
        Run run = run(sink);
        int steps = perhapsCutShort ? 1 + random.nextInt(60) : MAX_STEPS;
        for (int i = 0; i < steps && !run.isOver(); i++) {
            if (!run.step() && !run.isOver()) {
                time.advance(Duration.ofMillis(random.nextInt(2_000)));
            }
        }
        if (perhapsCutShort && random.nextBoolean()) {
            // A dead process sends no message: its lease expires, and the operating system closes its files.
            sink.close();
            time.advance(settings.lease().plusSeconds(1));
            on = reopened.apply(on);
            return;
        }
        run.stop();
        for (int i = 0; !run.isOver(); i++) {
            assertThat(i).as("steps to stop").isLessThan(MAX_STEPS);
            if (!run.step()) {
                time.advance(Duration.ofMillis(50));
            }
        }
    }

    private Run run(Sink<String> sink) {
        ItemPipeline.Builder<String, String> builder = ItemPipeline.named("texts", Codec.text());
        for (int i = 0; i < batches.size(); i++) {
            builder = builder.stage(stage(i));
        }
        Run.Builder<String, String> run = Run.of(
                        builder.failureBudget(FailureBudget.unlimited()).build(), on.store())
                .id("run-1")
                .node("node-" + random.nextInt())
                .from(SampleSource.of(
                        IntStream.range(0, samples).mapToObj(i -> "s" + i).toList()))
                .to(sink)
                .settings(settings)
                .executor(Runnable::run)
                .time(time)
                .random(new SplittableRandom(seed));
        return (ordered ? run.ordered() : run).build();
    }

    /**
     * Checks a run after any process: every sample taken has a record, the counts match the records, and the balance
     * adds up.
     */
    private void checkUnderWay(RunRecord run) {
        Totals totals = run.totals();
        Map<SampleState, Long> states = new EnumMap<>(SampleState.class);
        for (long ordinal = 0; ordinal < totals.taken(); ordinal++) {
            SampleRecord sample = on.archive().sample("run-1", ordinal).orElseThrow();
            states.merge(sample.state(), 1L, Long::sum);
        }
        assertThat(on.archive().sample("run-1", totals.taken())).isEmpty();
        Balance balance = run.balance();
        long pending = states.getOrDefault(SampleState.READY, 0L);
        assertThat(balance)
                .isEqualTo(new Balance(
                        totals.taken() == 0 && totals.sourceSize().isEmpty() ? 0 : samples,
                        states.getOrDefault(SampleState.SUCCEEDED, 0L),
                        states.getOrDefault(SampleState.SKIPPED, 0L),
                        states.getOrDefault(SampleState.DEAD, 0L),
                        balance.in() - totals.taken() + pending,
                        pending));
    }

    private void check(RunRecord end, Model model) {
        assertThat(end.balance()).isEqualTo(new Balance(samples, model.lines.size(), model.skipped, model.dead, 0, 0));
        assertThat(lines()).containsExactlyInAnyOrderElementsOf(model.lines);
        if (ordered && !mended) {
            assertThat(lines()).isEqualTo(model.lines);
        }
        assertThat(on.archive().dead(DeadFilter.ALL, 1_000)).hasSize((int) model.dead);
        assertThat(on.archive().retries("run-1").values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(samples);
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stage<String, String> stage(int index) {
        Stage<String, String> stage = Stage.batchOf("stage-" + index, batches.get(index), null, (texts, contexts) -> {
            List<StageOutcome<String>> outcomes = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                outcomes.add(outcome(index, texts.get(i), contexts.get(i)));
            }
            return outcomes;
        });
        return stage.policy(RetryPolicy.builder()
                        .maxAttempts(attempts)
                        .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(3)))
                        .jitter(Jitter.full())
                        .retryOnStatus(503)
                        .build())
                .concurrency(1 + random.nextInt(4));
    }

    private StageOutcome<String> outcome(int stage, String text, SampleContext context) {
        return switch (fate(stage, context.ordinal(), context.attempt())) {
            case PASS -> StageOutcome.value(text + "." + stage);
            case SKIP -> StageOutcome.skip("skipped");
            case RETRY -> StageOutcome.failed(Failure.status(503));
            case FATAL -> StageOutcome.failed(Failure.status(400));
        };
    }

    private Fate fate(int stage, long ordinal, int attempt) {
        int dice = new SplittableRandom(seed * 31 + stage * 1_000_003L + ordinal * 7_919 + attempt * 104_729L)
                .nextInt(100);
        if (dice < 8) {
            return Fate.SKIP;
        }
        if (mended || dice < 75) {
            return Fate.PASS;
        }
        return dice < 95 ? Fate.RETRY : Fate.FATAL;
    }

    private record Model(List<String> lines, long skipped, long dead) {}

    /** The plain loop; with {@code afterMending}, dead samples continue at the stage of their death. */
    private Model expected(boolean afterMending) {
        List<String> lines = new ArrayList<>();
        long skipped = 0;
        long dead = 0;
        for (int sample = 0; sample < samples; sample++) {
            mended = false;
            Walk walk = walk(sample, 0);
            if (walk.end == Fate.FATAL && afterMending) {
                mended = true;
                walk = walk(sample, walk.stage);
            }
            if (walk.end == Fate.PASS) {
                lines.add(resultOf(sample));
            } else if (walk.end == Fate.SKIP) {
                skipped++;
            } else {
                dead++;
            }
        }
        mended = afterMending;
        return new Model(lines, skipped, dead);
    }

    private record Walk(Fate end, int stage) {}

    private Walk walk(int sample, int from) {
        for (int stage = from; stage < batches.size(); stage++) {
            Fate fate = Fate.RETRY;
            for (int attempt = 1; attempt <= attempts && fate == Fate.RETRY; attempt++) {
                fate = fate(stage, sample, attempt);
            }
            if (fate != Fate.PASS) {
                return new Walk(fate == Fate.SKIP ? Fate.SKIP : Fate.FATAL, stage);
            }
        }
        return new Walk(Fate.PASS, batches.size());
    }

    private String resultOf(int sample) {
        StringBuilder text = new StringBuilder("s" + sample);
        for (int stage = 0; stage < batches.size(); stage++) {
            text.append('.').append(stage);
        }
        return text.toString();
    }
}
