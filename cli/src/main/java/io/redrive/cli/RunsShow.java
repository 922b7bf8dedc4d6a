package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show how a run stands; or one of its samples, with every attempt.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsShow extends RunStoreCommand {

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String run;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SAMPLE",
            description = "A sample's id, or #7 for the eighth of the input.")
    private String sample;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    RunsShow(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) {
        RunRecord found = RunText.find(store.archive(), run, context.time().now());
        if (sample != null) {
            return show(sample(store.archive()), store.archive(), found);
        }
        if (json) {
            say(RunText.json(found).put("origin", found.definition().origin()));
            return 0;
        }
        line("run", found.id());
        line(
                "pipeline",
                found.pipeline() + ": " + String.join(" > ", found.definition().stages()));
        line("status", found.status().code());
        line("balance", found.balance());
        line("began", moment(found.created()));
        line(
                found.endedAt().isPresent() ? "ended" : "last seen",
                moment(found.endedAt().orElse(found.updated())));
        line("worked", RunText.took(found));
        String names =
                store.archive().workers(run).stream().map(WorkerRecord::node).collect(Collectors.joining(", "));
        line("workers", found.workers() + (names.isEmpty() ? "" : ": " + Printable.line(names)));
        origin(found);
        return 0;
    }

    private String moment(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS) + ", "
                + Printable.age(at, context.time().now());
    }

    private void origin(RunRecord found) {
        Optional<RunFiles> files = RunFiles.ifAny(found);
        if (files.isPresent()) {
            line("file", files.get().pipeline());
            line("input", files.get().input());
            line("output", files.get().output());
            if (!files.get().selection().options().isEmpty()) {
                line("samples", files.get().selection().options());
            }
        } else if (!found.definition().origin().isEmpty()) {
            line("from", Printable.line(found.definition().origin()));
        }
    }

    private SampleRecord sample(RunArchive archive) {
        Optional<SampleRecord> found = sample.matches("#\\d{1,18}")
                ? archive.sample(run, Long.parseLong(sample.substring(1)))
                : archive.sampleById(run, sample);
        return found.orElseThrow(() -> new CommandFailed(
                "run '" + run + "' has taken no sample '" + sample + "'; #7 names the eighth of the input"));
    }

    private int show(SampleRecord found, RunArchive archive, RunRecord of) {
        List<StageAttempt> attempts = archive.attempts(run, found.ordinal());
        if (json) {
            say(json(found, of)
                    .put("trail", attempts.stream().map(RunText::json).toList()));
            return 0;
        }
        line("sample", Printable.line(found.id()) + ", #" + found.ordinal());
        line("state", found.state().code() + stageOf(found, of));
        if (found.death() != null) {
            line("reason", found.death().reason().code());
            line(
                    "error",
                    Printable.line(
                            found.death().errorType() + ": " + found.death().message()));
        }
        if (found.payload() != null) {
            say("");
            say(Printable.block(RunText.text(found.payload())));
        }
        say("");
        say(trail(attempts));
        return 0;
    }

    private Json.Obj json(SampleRecord found, RunRecord of) {
        return new Json.Obj()
                .put("run", run)
                .put("sample", found.id())
                .put("ordinal", found.ordinal())
                .put("state", found.state().code())
                .put("stage", found.state().isFinal() && found.death() == null ? null : stage(found, of))
                .put(
                        "reason",
                        found.death() == null ? null : found.death().reason().code())
                .put("error_type", found.death() == null ? null : found.death().errorType())
                .put("message", found.death() == null ? null : found.death().message())
                .put("payload", RunText.text(found.payload()));
    }

    private static String stageOf(SampleRecord found, RunRecord of) {
        return switch (found.state()) {
            case READY -> ", at stage " + stage(found, of);
            case DEAD, SKIPPED -> " at stage " + stage(found, of);
            case SUCCEEDED -> "";
        };
    }

    private static String stage(SampleRecord found, RunRecord of) {
        return of.definition().stageAt(found.stage());
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
                    attempt.errorType().isEmpty() ? attempt.message() : attempt.errorType() + ": " + attempt.message());
        }
        return table;
    }

    private void line(String what, Object value) {
        say(paint().faint(String.format("%-10s", what)) + " " + value);
    }
}
