package io.redrive.testkit;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.JsonLines;
import io.redrive.items.Result;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A small run with every kind of sample: passing, failing once, skipped, dying; with stages for one sample and for
 * several; with a window and commits small enough to repeat every call to the store many times. The result of a stage
 * depends only on the sample and the attempt, so an interrupted and resumed run must end like an undisturbed one.
 */
final class RunScenario {

    private static final int SAMPLES = 13;
    private static final int MAX_STEPS = 10_000;
    private static final int TORN_OFF = 4;
    private static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.fixed(Duration.ofSeconds(1)))
            .jitter(Jitter.none())
            .build();

    private final ManualTime time;
    private final Path dir;
    private final boolean ordered;
    private final List<String> calls = new ArrayList<>();

    RunScenario(ManualTime time, Path dir) {
        this(time, dir, false);
    }

    private RunScenario(ManualTime time, Path dir, boolean ordered) {
        this.time = time;
        this.dir = dir;
        this.ordered = ordered;
    }

    /** The scenario with results in the order of the source, which makes the output equal to the byte. */
    static RunScenario ordered(RunDriver on) {
        return new RunScenario(on.time(), on.dir(), true);
    }

    /** Every call of a stage so far, as {@code stage/ordinal}. */
    List<String> calls() {
        return calls;
    }

    /** One process of the run. */
    final class Process {
        private final Run run;
        private final Sink<String> sink;
        private final Path output;

        private Process(RunStore store, String name, int tornWrite) {
            output = dir.resolve("out-" + name + ".jsonl");
            sink = new TornSink(JsonLines.sink(output), output, tornWrite);
            Run.Builder<String, String> builder = Run.of(pipeline(), store)
                    .id("run-1")
                    .node(name)
                    .from(source())
                    .to(sink)
                    .settings(RunSettings.STANDARD
                            .withWindow(5)
                            .withCommits(Duration.ZERO, 2)
                            .withLease(RunDriver.LEASE))
                    .executor(Runnable::run)
                    .time(time);
            run = (ordered ? builder.ordered() : builder).build();
        }

        boolean isOver() {
            return run.isOver();
        }

        boolean step() {
            return run.step();
        }

        /** Runs to the end; throws the exceptions of the store. */
        void run() {
            for (int i = 0; !run.isOver(); i++) {
                if (i > MAX_STEPS) {
                    throw new AssertionError("the run does not end: " + run.progress());
                }
                if (!run.step()) {
                    time.advance(Duration.ofMillis(100));
                }
            }
        }

        /** Runs to the end, and repeats calls that failed. */
        void runPatiently() {
            while (!run.isOver()) {
                try {
                    run();
                } catch (FaultyStore.Fault fault) {
                    time.advance(Duration.ofMillis(100));
                }
            }
        }

        /** Closes the files of a dead process, as the operating system does. */
        void die() {
            try {
                sink.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        String sinkName() {
            return sink.name();
        }

        Path output() {
            return output;
        }
    }

    Process process(RunStore store) {
        return process(store, "a");
    }

    Process process(RunStore store, String name) {
        return new Process(store, name, 0);
    }

    /** A process that dies in the middle of its n-th write to the output. */
    Process processThatTears(RunStore store, int write) {
        return new Process(store, "a", write);
    }

    /** The process was killed. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed in the middle of a write");
        }
    }

    /** A sink whose n-th write reaches the file only in part. */
    private static final class TornSink implements Sink<String> {
        private final Sink<String> sink;
        private final Path file;
        private int untilTorn;

        TornSink(Sink<String> sink, Path file, int torn) {
            this.sink = sink;
            this.file = file;
            untilTorn = torn;
        }

        @Override
        public String name() {
            return sink.name();
        }

        @Override
        public String open(Optional<String> position) throws Exception {
            return sink.open(position);
        }

        @Override
        public String write(List<Result<String>> results) throws Exception {
            String position = sink.write(results);
            untilTorn--;
            if (untilTorn == 0) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(channel.size() - TORN_OFF);
                }
                throw new Killed();
            }
            return position;
        }

        @Override
        public void close() throws Exception {
            sink.close();
        }
    }

    /** The whole output. */
    static byte[] bytes(Path output) {
        try {
            return Files.readAllBytes(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sorted lines of the output; bytes after {@code length} were never committed. */
    static List<String> lines(Path output, long length) {
        byte[] bytes = bytes(output);
        String text = new String(bytes, 0, (int) Math.min(length, bytes.length), StandardCharsets.UTF_8);
        return text.lines().sorted().toList();
    }

    private static SampleSource<String> source() {
        return SampleSource.of(IntStream.range(0, SAMPLES)
                .mapToObj(i -> i == 6 ? "x".repeat(200) : "{\"n\":" + i + "}")
                .toList());
    }

    private ItemPipeline<String, String> pipeline() {
        return ItemPipeline.named("texts", Codec.text())
                .stage(Stage.<String, String>of("flaky", null, (text, context) -> {
                            calls.add("flaky/" + context.ordinal());
                            boolean failsOnce = context.ordinal() % 4 == 1 && context.attempt() == 1;
                            boolean failsAlways = context.ordinal() % 7 == 3;
                            return failsOnce || failsAlways
                                    ? StageOutcome.failed(Failure.status(503))
                                    : StageOutcome.value(text + " flaky");
                        })
                        .policy(POLICY))
                .stage(Stage.<String, String>of("keep", null, (text, context) -> {
                    calls.add("keep/" + context.ordinal());
                    return context.ordinal() % 5 == 4
                            ? StageOutcome.skip("not kept")
                            : StageOutcome.value(text + " kept");
                }))
                .stage(Stage.<String, String>batchOf("label", 3, null, (texts, contexts) -> {
                            contexts.forEach(context -> calls.add("label/" + context.ordinal()));
                            boolean bad = contexts.stream().anyMatch(context -> context.ordinal() == 8);
                            if (bad && contexts.size() > 1) {
                                throw new IllegalArgumentException("one of them is bad");
                            }
                            return texts.stream()
                                    .map(text -> StageOutcome.value(text + " labelled"))
                                    .toList();
                        })
                        .policy(RetryPolicy.noRetry()))
                .maxPayload(100)
                .failureBudget(FailureBudget.unlimited())
                .build();
    }
}
