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
import io.redrive.items.StageNeverSucceeded;
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
import org.jspecify.annotations.Nullable;

/**
 * Takes the samples of a source through a pipeline to a sink, and accounts for every sample. A run with an id that the store
 * knows is resumed, whatever ended it before: a crash, a stop, too many failures. Several processes may work on one run, each
 * with a {@code Run} of the same id.
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
 * <p>Thread-safe, except for {@link #step()} and {@link #drain()}, which are for tests that do not {@link #start()} the run.
 */
public final class Run implements AutoCloseable {

    private final String id;
    private final Runner runner;

    private Run(String id, Runner runner) {
        this.id = id;
        this.runner = runner;
    }

    /** Returns a builder of a run of {@code pipeline} that is kept in {@code store}. */
    public static <I, O> Builder<I, O> of(ItemPipeline<I, O> pipeline, RunStore store) {
        return new Builder<>(pipeline, store);
    }

    /** Returns the id of the run. */
    public String id() {
        return id;
    }

    /** Returns the counts of the run at this moment. */
    public Progress progress() {
        return runner.progress();
    }

    /**
     * Starts the run on a thread of its own.
     *
     * @throws IllegalStateException when it was started before
     */
    public Run start() {
        runner.start();
        return this;
    }

    /**
     * Waits until this process has left a started run: at its end, or after a stop or a failure.
     *
     * @return the run as this process left it
     * @throws FailureBudgetExceeded when too many samples died
     * @throws StageNeverSucceeded when the first calls of a stage all failed alike
     * @throws SourceException when the source could not be read, or has changed
     */
    public RunRecord await() throws InterruptedException {
        return runner.await();
    }

    /**
     * Moves every sample that can be moved: settles the results of calls, wakes retries that are due, claims samples from the
     * store, takes samples from the source, releases calls, writes a page. A started run steps in a loop, a test by hand.
     *
     * @return true when anything moved
     */
    public boolean step() {
        return runner.step();
    }

    /** Steps until nothing moves; for tests with an executor that runs stages on the calling thread. */
    public void drain() {
        while (step()) {
            // A step may make room for the next one.
        }
    }

    /** Returns true once this process has left the run. */
    public boolean isOver() {
        return runner.isOver();
    }

    /** Begins to stop this process: calls under way may end, other samples wait until the run is resumed. Returns at once. */
    public void stop() {
        runner.halt(Halt.stopped());
    }

    /** Cancels the run, for all processes that work on it. Returns at once. */
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
     * @param <I> type of the values that the source gives
     * @param <O> type of the values that the sink gets
     */
    public static final class Builder<I, O> {
        private static final DateTimeFormatter STAMP =
                DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

        private final ItemPipeline<I, O> pipeline;
        private final RunStore store;
        private final List<RunListener> listeners = new ArrayList<>(List.of(new LoggingListener()));
        private @Nullable String id;
        private String origin = "";
        private @Nullable SampleSource<I> source;
        private Sink<O> sink = Sink.none();
        private RunSettings settings = RunSettings.STANDARD;
        private boolean audited = true;
        private boolean ordered;
        private String node = ThisProcess.name();
        private @Nullable Executor executor;
        private Time time = Time.system();
        private RandomGenerator random = RandomGenerator.getDefault();

        private Builder(ItemPipeline<I, O> pipeline, RunStore store) {
            this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
            this.store = Objects.requireNonNull(store, "store");
        }

        /**
         * Sets the id of the run; by default a new one of the pipeline's name and the time. A run that the store knows under
         * this id is resumed.
         *
         * @throws IllegalArgumentException when the id is too long or has other characters than letters, digits, dots, dashes
         *     and underscores
         */
        public Builder<I, O> id(String value) {
            id = RunDefinition.requireName("run id", value);
            return this;
        }

        /** Sets the {@link RunDefinition#origin}, such as the command that resumes the run; empty by default. */
        public Builder<I, O> origin(String text) {
            origin = Objects.requireNonNull(text, "text");
            return this;
        }

        /** Sets the source; none by default. A run that has read its source to the end can be resumed without one. */
        public Builder<I, O> from(SampleSource<I> value) {
            source = Objects.requireNonNull(value, "source");
            return this;
        }

        /** Sets the sink; by default results are ignored. */
        public Builder<I, O> to(Sink<O> value) {
            sink = Objects.requireNonNull(value, "sink");
            return this;
        }

        /** Replaces {@link RunSettings#STANDARD}. */
        public Builder<I, O> settings(RunSettings value) {
            settings = Objects.requireNonNull(value, "settings");
            return this;
        }

        /**
         * Writes results in the order of the source; by default as they come. A sample that waits for a retry then delays the
         * results after it, within the window; results of reprocessed samples come when they are ready. For a run in one process.
         */
        public Builder<I, O> ordered() {
            ordered = true;
            return this;
        }

        /** Keeps no audit trail, which is kept by default: reports then have no retries, errors and stages. */
        public Builder<I, O> withoutAudit() {
            audited = false;
            return this;
        }

        /** Adds a listener, after the log and the listeners that were added before. */
        public Builder<I, O> listener(RunListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Sets the name of this process among the processes of the run; made of machine and process id by default. */
        public Builder<I, O> node(String value) {
            node = Objects.requireNonNull(value, "node");
            return this;
        }

        /** Runs stages, source and sink on this executor, instead of the run's own threads; {@code Runnable::run} for {@link Run#step()}. */
        public Builder<I, O> executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** Sets the clock, for tests. */
        public Builder<I, O> time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets the source of jitter, for tests. */
        public Builder<I, O> random(RandomGenerator generator) {
            random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** Returns the run, which begins with {@link Run#start()} or the first {@link Run#step()}. */
        public Run build() {
            String runId = id == null ? newId(time.now()) : id;
            LoggingListener.lint(runId, pipeline);
            Session<I, O> session = new Session<>(
                    new Session.Plan<>(runId, origin, pipeline, store, source, sink, audited, ordered),
                    new Session.ProcessSettings(settings, node, time, random, new Listeners(listeners)));
            return new Run(runId, new Runner(session, executor));
        }

        /** Builds the run and starts it; short for {@code build().start()}. */
        public Run start() {
            return build().start();
        }

        /**
         * Runs to the end on the calling thread; an interrupt of the thread stops the run.
         *
         * @return the run as this process left it
         * @throws FailureBudgetExceeded when too many samples died
         * @throws StageNeverSucceeded when the first calls of a stage all failed alike
         * @throws SourceException when the source could not be read, or has changed
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

    /** How long until a step has something to do; for tests. */
    Duration untilNextStep() {
        return runner.untilNextStep();
    }
}
