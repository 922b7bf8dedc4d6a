package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.FailureBudgetExceeded;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Progress;
import io.redrive.items.RunListener;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.SourceException;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Takes the samples of a source through a pipeline to a sink, and accounts for every one. Under an id that the store knows
 * it goes on where that run stands, whatever ended it: a crash, a stop, too many failures.
 *
 * <pre>{@code
 * RunRecord end = Run.of(pipeline, store)
 *         .id("summaries-march")
 *         .from(JsonLines.source(Path.of("articles.jsonl")))
 *         .to(JsonLines.sink(Path.of("summaries.jsonl")))
 *         .run();
 * System.out.println(end.status() + ": " + end.balance());
 * }</pre>
 *
 * <p>Thread-safe, but for {@link #step()}, which belongs to tests that do not {@link #start()}.
 */
public final class Run implements AutoCloseable {

    private final String id;
    private final Runner runner;

    private Run(String id, Runner runner) {
        this.id = id;
        this.runner = runner;
    }

    /** A builder for a run of {@code pipeline} remembered by {@code store}. */
    public static <I, O> Builder<I, O> of(ItemPipeline<I, O> pipeline, RunStore store) {
        return new Builder<>(pipeline, store);
    }

    /** The run's id. */
    public String id() {
        return id;
    }

    /** How it stands at this moment. */
    public Progress progress() {
        return runner.progress();
    }

    /** Runs on a thread of its own from now on; once only. */
    public Run start() {
        runner.start();
        return this;
    }

    /**
     * Waits for a started run to end, however that is.
     *
     * @return the run as this process left it
     * @throws FailureBudgetExceeded when too many samples died
     * @throws SourceException when the source could not be read, or is not what it was
     */
    public RunRecord await() throws InterruptedException {
        return runner.await();
    }

    /**
     * Takes every sample one step further where it can go: record what was written, hear what workers say, wake what has
     * waited, claim, take, release, write. A started run does this in a loop; a test does it by hand.
     *
     * @return true when anything moved
     */
    public boolean step() {
        return runner.step();
    }

    /** Steps until nothing moves any more; for tests with an executor that runs stages at once. */
    public void drain() {
        while (step()) {
            // Each step may make room for the next.
        }
    }

    /** True once this process has left the run. */
    public boolean isOver() {
        return runner.isOver();
    }

    /** Begins to stop: attempts under way may finish, the rest waits for the run to be resumed. Returns at once. */
    public void stop() {
        runner.halt(Halt.stopped());
    }

    /** Calls the run off, for all processes that share it. Returns at once. */
    public void cancel() {
        runner.halt(Halt.cancelled());
    }

    /** Stops, and waits until this process has left the run. */
    @Override
    public void close() {
        runner.close();
    }

    /**
     * Builds a {@link Run}. Not thread-safe.
     *
     * @param <I> what the source gives
     * @param <O> what the sink gets
     */
    public static final class Builder<I, O> {
        private static final DateTimeFormatter STAMP =
                DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

        private final ItemPipeline<I, O> pipeline;
        private final RunStore store;
        private final List<RunListener> listeners = new ArrayList<>(List.of(new LoggingListener()));
        private String id;
        private String origin = "";
        private SampleSource<I> source;
        private Sink<O> sink = Sink.none();
        private RunSettings settings = RunSettings.STANDARD;
        private boolean audited = true;
        private boolean ordered;
        private String node = ThisProcess.name();
        private Executor executor;
        private Time time = Time.system();
        private RandomGenerator random = RandomGenerator.getDefault();

        private Builder(ItemPipeline<I, O> pipeline, RunStore store) {
            this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
            this.store = Objects.requireNonNull(store, "store");
        }

        /** The run's id; one that the store knows is resumed. Without it, a new one is made of name and time. */
        public Builder<I, O> id(String value) {
            id = RunDefinition.requireName("run id", value);
            return this;
        }

        /** Where the run comes from, for whoever wants to go on with it: {@link RunDefinition#origin}. */
        public Builder<I, O> origin(String text) {
            origin = Objects.requireNonNull(text, "text");
            return this;
        }

        /** Where samples come from. Not needed to resume a run that has read its source to the end. */
        public Builder<I, O> from(SampleSource<I> value) {
            source = Objects.requireNonNull(value, "source");
            return this;
        }

        /** Where results go; nowhere by default. */
        public Builder<I, O> to(Sink<O> value) {
            sink = Objects.requireNonNull(value, "sink");
            return this;
        }

        /** The sizes and times. */
        public Builder<I, O> settings(RunSettings value) {
            settings = Objects.requireNonNull(value, "settings");
            return this;
        }

        /**
         * Results go to the sink in the order of the source. A sample that waits for a retry then holds up those after it,
         * as far as the window reaches; reprocessed samples come when they are through. For a run in one process.
         */
        public Builder<I, O> ordered() {
            ordered = true;
            return this;
        }

        /** Keeps no audit trail: reports then have no retries, errors and stages. */
        public Builder<I, O> withoutAudit() {
            audited = false;
            return this;
        }

        /** Adds a listener, besides the log. */
        public Builder<I, O> listener(RunListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** The name of this process among those that share the run; made of machine and process id by default. */
        public Builder<I, O> node(String value) {
            node = Objects.requireNonNull(value, "node");
            return this;
        }

        /** Where stages run, instead of threads of the run's own; {@code Runnable::run} for stepping by hand. */
        public Builder<I, O> executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** The clock, for tests. */
        public Builder<I, O> time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** The source of jitter, for tests. */
        public Builder<I, O> random(RandomGenerator generator) {
            random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** A run that stands still until it is started, or stepped by hand. */
        public Run build() {
            String runId = id == null ? newId(time.now()) : id;
            LoggingListener.lint(runId, pipeline);
            Session<I, O> session = new Session<>(
                    new Session.Plan<>(runId, origin, pipeline, store, source, sink, audited, ordered),
                    new Session.ProcessSettings(settings, node, time, random, new Listeners(listeners)));
            return new Run(runId, new Runner(session, executor));
        }

        /** Starts the run on a thread of its own. */
        public Run start() {
            return build().start();
        }

        /**
         * Runs to the end on the calling thread; interrupt it to stop the run.
         *
         * @return the run as this process left it
         * @throws FailureBudgetExceeded when too many samples died
         * @throws SourceException when the source could not be read, or is not what it was
         */
        public RunRecord run() {
            try (Run run = build()) {
                return run.runner.runHere();
            }
        }

        private String newId(Instant now) {
            return pipeline.name() + "-" + STAMP.format(now) + "-"
                    + String.format(Locale.ROOT, "%04x", random.nextInt(1 << 16));
        }
    }

    /** For tests. */
    Duration untilNextStep() {
        return runner.untilNextStep();
    }
}
