package io.redrive.cli.runs;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import io.redrive.operations.RunOperations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show how a run stands; or one of its samples, with every attempt.")
final class RunsShow extends OneRunCommand {

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SAMPLE",
            description = "A sample's id, or #7 for the eighth of the input.")
    private @Nullable String sample;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    RunsShow(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations archive, RunRecord run) {
        if (sample != null) {
            SampleRecord found = find(archive, run.id(), sample);
            show(found, archive.attempts(run.id(), found.ordinal()), run);
        } else if (json) {
            say(RunText.json(run).put("origin", run.definition().origin()));
        } else {
            show(run, archive.workers(run.id()));
        }
        return 0;
    }

    private void show(RunRecord run, List<WorkerRecord> workers) {
        line("run", run.id());
        line(
                "pipeline",
                run.pipeline() + ": " + String.join(" > ", run.definition().stages()));
        line("status", run.status().code());
        line("balance", run.balance());
        line("began", moment(run.created()));
        line(
                run.endedAt().isPresent() ? "ended" : "last seen",
                moment(run.endedAt().orElse(run.updated())));
        line("worked", RunText.took(run));
        String nodes = workers.stream().map(WorkerRecord::node).collect(Collectors.joining(", "));
        line("workers", run.workers() + (nodes.isEmpty() ? "" : ": " + Printable.line(nodes)));
        showOrigin(run);
    }

    private String moment(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS) + ", "
                + Printable.age(at, context().time().now());
    }

    private void showOrigin(RunRecord run) {
        Optional<RunFiles> files = RunFiles.ifAny(run);
        if (files.isPresent()) {
            line("file", files.get().pipeline());
            line("input", files.get().input());
            line("output", files.get().output());
            String selection = SelectionOptions.text(files.get().selection());
            if (!selection.isEmpty()) {
                line("samples", selection);
            }
        } else if (!run.definition().origin().isEmpty()) {
            line("from", Printable.line(run.definition().origin()));
        }
    }

    private static SampleRecord find(RunOperations archive, String run, String sample) {
        Optional<SampleRecord> found = sample.matches("#\\d{1,18}")
                ? archive.sample(run, Long.parseLong(sample.substring(1)))
                : archive.sampleById(run, sample);
        return found.orElseThrow(() -> new CommandFailed(
                "run '" + run + "' has taken no sample '" + sample + "'; #7 names the eighth of the input"));
    }

    private void show(SampleRecord found, List<StageAttempt> attempts, RunRecord run) {
        if (json) {
            say(json(found, run)
                    .put("trail", attempts.stream().map(RunText::json).toList()));
            return;
        }
        line("sample", Printable.line(found.id()) + ", #" + found.ordinal());
        line("state", found.state().code() + atStage(found, run));
        if (found.death() != null) {
            line("reason", found.death().reason().code());
            line(
                    "error",
                    Printable.line(Printable.error(
                            found.death().errorType(), found.death().message())));
        }
        String payload = RunText.payload(found);
        if (payload != null) {
            say("");
            say(Printable.block(payload));
        }
        say("");
        say(trail(attempts));
    }

    private static JsonObject json(SampleRecord found, RunRecord run) {
        boolean atStage = !found.state().isFinal() || found.death() != null;
        JsonObject object = new JsonObject()
                .put("run", run.id())
                .put("sample", found.id())
                .put("ordinal", found.ordinal())
                .put("state", found.state().code())
                .put("stage", atStage ? stage(found, run) : null);
        SampleRecord.Death death = found.death();
        return object.put("reason", death == null ? null : death.reason().code())
                .put("error_type", death == null ? null : death.errorType())
                .put("message", death == null ? null : death.message())
                .put("payload", RunText.payload(found));
    }

    private static String atStage(SampleRecord found, RunRecord run) {
        return switch (found.state()) {
            case READY -> ", at stage " + stage(found, run);
            case DEAD, SKIPPED -> " at stage " + stage(found, run);
            case SUCCEEDED -> "";
        };
    }

    private static String stage(SampleRecord found, RunRecord run) {
        return run.definition().stageAt(found.stage());
    }

    private static TextTable trail(List<StageAttempt> attempts) {
        TextTable table = new TextTable(
                Column.left("at"),
                Column.left("stage"),
                Column.right("attempt"),
                Column.left("status"),
                Column.right("took"),
                Column.right("waits"),
                Column.elastic("error"));
        for (StageAttempt attempt : attempts) {
            table.add(
                    attempt.at().truncatedTo(ChronoUnit.MILLIS),
                    attempt.stage(),
                    attempt.attempt(),
                    attempt.status().code(),
                    DurationText.format(attempt.duration().truncatedTo(ChronoUnit.MILLIS)),
                    attempt.delay().isZero() ? "" : DurationText.format(attempt.delay()),
                    attempt.errorType().isEmpty()
                            ? attempt.message()
                            : Printable.error(attempt.errorType(), attempt.message()));
        }
        return table;
    }

    private void line(String what, Object value) {
        say(paint().faint(String.format("%-10s", what)) + " " + value);
    }
}
