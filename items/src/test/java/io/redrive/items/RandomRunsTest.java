package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random pipelines, random failures, random stops, crashes and reprocessing: at the end the balance holds and the output is
 * what a plain loop over the samples gives. A failure names its seed; {@code -Dredrive.seed=…} runs it again.
 */
final class RandomRunsTest {

    private static final int RUNS = 300;

    @Test
    void every_sample_is_accounted_for_whatever_happens() {
        Long given = Long.getLong("redrive.seed");
        for (long seed = given == null ? 1 : given; seed <= (given == null ? RUNS : given); seed++) {
            try {
                new Life(seed).live();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("failed with -Dredrive.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** What a stage does with a sample at an attempt, the same for the run and for the plain loop. */
    private enum Fate {
        PASS,
        SKIP,
        RETRY,
        FATAL
    }

    private static final class Life {
        private final Rig rig = new Rig();
        private final MemorySink sink = new MemorySink();
        private final Random random;
        private final long seed;
        private final int samples;
        private final int attempts;
        private final boolean ordered;
        private final List<Integer> batches = new ArrayList<>();
        private final RunSettings settings;
        private boolean mended;

        Life(long seed) {
            this.seed = seed;
            random = new Random(seed);
            rig.seed = seed;
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

        void live() {
            RunRecord end = null;
            for (int session = 0; end == null || !end.status().isFinal(); session++) {
                end = session < 3 ? perhapsCutShort() : rig.finish(run());
                checkUnderWay(end);
            }
            check(end, expected(false));
            mended = true;
            long dead = end.balance().dead();
            assertThat(rig.store.archive().reprocess(DeadFilter.ofRun("run-1"), rig.time.now()))
                    .isEqualTo(dead);
            RunRecord again = rig.finish(run());
            check(again, expected(true));
            assertThat(again.balance().dead()).isZero();
        }

        /** Whatever cut it short: every sample taken has a record, the counts are those of the records, and all add up. */
        private void checkUnderWay(RunRecord run) {
            Totals totals = run.totals();
            Map<SampleState, Long> states = new EnumMap<>(SampleState.class);
            for (long ordinal = 0; ordinal < totals.taken(); ordinal++) {
                SampleRecord sample =
                        rig.store.archive().sample("run-1", ordinal).orElseThrow();
                states.merge(sample.state(), 1L, Long::sum);
            }
            assertThat(rig.store.archive().sample("run-1", totals.taken())).isEmpty();
            Balance balance = run.balance();
            assertThat(balance)
                    .isEqualTo(new Balance(
                            totals.taken() == 0 && totals.sourceSize().isEmpty() ? 0 : samples,
                            states.getOrDefault(SampleState.SUCCEEDED, 0L),
                            states.getOrDefault(SampleState.SKIPPED, 0L),
                            states.getOrDefault(SampleState.DEAD, 0L),
                            balance.in() - totals.taken() + states.getOrDefault(SampleState.READY, 0L),
                            states.getOrDefault(SampleState.READY, 0L)));
        }

        private void check(RunRecord end, Model model) {
            assertThat(end.balance())
                    .isEqualTo(new Balance(samples, model.lines.size(), model.skipped, model.dead, 0, 0));
            assertThat(sink.lines).containsExactlyInAnyOrderElementsOf(model.lines);
            if (ordered && !mended) {
                assertThat(sink.lines).isEqualTo(model.lines);
            }
            assertThat(rig.store.archive().dead(DeadFilter.ALL, 1_000)).hasSize((int) model.dead);
            assertThat(rig.store.archive().retries("run-1").values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(samples);
        }

        /** A session that runs to its end, is stopped, or dies. */
        private RunRecord perhapsCutShort() {
            Run run = run();
            int steps = random.nextInt(60);
            for (int i = 0; i < steps && !run.isOver(); i++) {
                if (!run.step() && !run.isOver()) {
                    rig.time.advance(Duration.ofMillis(random.nextInt(2_000)));
                }
            }
            if (random.nextBoolean()) {
                run.stop();
                return rig.finish(run);
            }
            // Dead: nobody hears of it again, and its lease runs out.
            rig.time.advance(settings.lease().plusSeconds(1));
            return rig.store.archive().find("run-1").orElseGet(() -> rig.finish(run()));
        }

        private Run run() {
            ItemPipeline.Builder<String, String> builder = ItemPipeline.named("texts", Codec.text());
            for (int i = 0; i < batches.size(); i++) {
                builder = builder.stage(stage(i));
            }
            ItemPipeline<String, String> pipeline =
                    builder.failureBudget(FailureBudget.unlimited()).build();
            return rig.run(
                    pipeline,
                    Rig.numbers(samples),
                    it -> (ordered ? it.ordered() : it).to(sink).settings(settings));
        }

        private Stage<String, String> stage(int index) {
            Stage<String, String> stage =
                    Stage.batchOf("stage-" + index, batches.get(index), null, (texts, contexts) -> {
                        List<Outcome<String>> outcomes = new ArrayList<>();
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

        private Outcome<String> outcome(int stage, String text, SampleContext context) {
            return switch (fate(stage, context.ordinal(), context.attempt())) {
                case PASS -> Outcome.value(text + "." + stage);
                case SKIP -> Outcome.skip("skipped");
                case RETRY -> Outcome.failed(Failure.status(503));
                case FATAL -> Outcome.failed(Failure.status(400));
            };
        }

        private Fate fate(int stage, long ordinal, int attempt) {
            int dice = new Random(seed * 31 + stage * 1_000_003L + ordinal * 7_919 + attempt * 104_729L).nextInt(100);
            if (dice < 8) {
                return Fate.SKIP;
            }
            if (mended || dice < 75) {
                return Fate.PASS;
            }
            return dice < 95 ? Fate.RETRY : Fate.FATAL;
        }

        private record Model(List<String> lines, long skipped, long dead) {}

        /** The plain loop; {@code afterMending}, what died is taken up at the stage where it died. */
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
}
