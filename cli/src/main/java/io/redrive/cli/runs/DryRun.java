package io.redrive.cli.runs;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.StopHook;
import io.redrive.core.DurationText;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunListener;
import io.redrive.items.Sink;
import io.redrive.items.SourceException;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleState;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Shows the first samples on their way through every stage. The run is kept in memory and its results are dropped. HTTP and
 * command stages are called, because only the services and programs know their answers.
 */
final class DryRun {

    private static final int SAMPLES = 3;
    private static final int MAX_SHOWN = 2_000;

    private final ConsoleCommand console;
    private final Map<Long, List<String>> stories = new ConcurrentHashMap<>();

    DryRun(ConsoleCommand console) {
        this.console = console;
    }

    /** Prints the story of each sample and returns the exit code of a run that ended like these samples. */
    int run(PipelinePlan plan, RunFiles files, StopSignal stop) throws IOException {
        console.note("dry run: the first " + SAMPLES
                + " samples; HTTP and command stages are called, no run is kept and no output is written");
        try (MutedLog muted = new MutedLog();
                StopHook hook = new StopHook(stop::raise, RunCommand.STOP_LIMIT);
                InMemoryRunStore store = new InMemoryRunStore()) {
            Run run = Run.of(watched(plan.pipeline()), store)
                    .id("dry-run")
                    .from(files.selection().atMost(SAMPLES).of(plan.source(files.input())))
                    .to(Sink.none())
                    .listener(new Story())
                    .time(console.context().time())
                    .build();
            stop.then(run::stop);
            RunRecord end = run.start().await();
            store.archive().dead(DeadFilter.ofRun(end.id()), SAMPLES).stream()
                    .filter(dead -> dead.sample().stage() < 0)
                    .forEach(dead -> note(
                            dead.sample().ordinal(), "  " + shown(dead.death().message())));
            tell();
            console.note("dry run: " + end.balance());
            return RunExit.of(end.status());
        } catch (SourceException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("the dry run was interrupted", e);
        }
    }

    /** Returns the pipeline with a stage after each of its stages that notes the value in between. */
    private ItemPipeline<String, String> watched(ItemPipeline<String, String> pipeline) {
        ItemPipeline.Builder<String, String> builder = ItemPipeline.named(pipeline.name(), Codec.text())
                .failureBudget(FailureBudget.unlimited())
                .thresholds(pipeline.thresholds())
                .maxPayload(pipeline.maxPayload())
                .stage(seen(0, "reads"));
        int place = 0;
        for (Stage<?, ?> stage : pipeline.stages()) {
            @SuppressWarnings("unchecked")
            Stage<String, String> same = (Stage<String, String>) stage;
            builder = builder.stage(same).stage(seen(++place, stage.name() + " gives"));
        }
        return builder.build();
    }

    private Stage<String, String> seen(int place, String what) {
        return Stage.<String, String>of("dry-run-seen-" + place, null, (value, sample) -> {
                    note(sample.ordinal(), "  " + what + "  " + shown(value));
                    return StageOutcome.value(value);
                })
                .policy(RetryPolicy.noRetry());
    }

    private void note(long ordinal, String line) {
        stories.computeIfAbsent(ordinal, place -> new CopyOnWriteArrayList<>()).add(line);
    }

    private static String shown(String text) {
        String line = Printable.line(text);
        return line.length() > MAX_SHOWN ? line.substring(0, MAX_SHOWN) + "…" : line;
    }

    private void tell() {
        new TreeMap<>(stories).values().forEach(story -> story.forEach(console::say));
    }

    /** Mutes the log of the run: the story tells the same. Warnings of HTTP and command stages stay. */
    private static final class MutedLog implements AutoCloseable {
        private final Logger log = Logger.getLogger(ItemPipeline.class.getPackageName());
        private final Level before = log.getLevel();

        MutedLog() {
            log.setLevel(Level.OFF);
        }

        @Override
        public void close() {
            log.setLevel(before);
        }
    }

    private final class Story implements RunListener {
        @Override
        public void onAttempt(Attempted event) {
            StageCall call = event.call();
            String failed = " fails, attempt " + call.attempt() + " after " + millis(call.duration());
            if (event instanceof Attempted.Skipped skipped) {
                note(call, " skips it: " + shown(skipped.why()));
            } else if (event instanceof Attempted.Retrying retrying) {
                String error = shown(Printable.error(retrying.errorType(), retrying.message()));
                note(call, failed + ", and is tried again in " + millis(retrying.delay()) + ": " + error);
            } else if (event instanceof Attempted.Failed last) {
                note(call, failed + ", for good: " + shown(Printable.error(last.errorType(), last.message())));
            }
        }

        private void note(StageCall call, String what) {
            DryRun.this.note(call.ordinal(), "  " + call.stage() + what);
        }

        private String millis(Duration duration) {
            return DurationText.format(duration.truncatedTo(ChronoUnit.MILLIS));
        }

        @Override
        public void onEnded(Ended event) {
            stories.computeIfAbsent(event.ordinal(), place -> new CopyOnWriteArrayList<>())
                    .add(
                            0,
                            "sample " + Printable.line(event.id()) + ": "
                                    + event.state().code()
                                    + (event.state() == SampleState.DEAD && event.stage() < 0
                                            ? ", it cannot be read"
                                            : ""));
        }
    }
}
