package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.PayloadText;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.LineDiff;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Preview;
import io.redrive.operations.RepairCounts;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.RepairPreview;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "repair",
        description = {
            "Change the payloads of many dead letters with one JSONata expression, or take the last repair back.",
            "Shows the effect and changes nothing, unless --apply is given. Each letter keeps its payloads as versions."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  redrive dlq repair --fingerprint F --expression '$ ~> |$|{\"currency\": \"BTC\"}|' --store FILE",
            "  redrive dlq repair --fingerprint F --file fix.jsonata --apply --store FILE",
            "  redrive dlq repair --fingerprint F --revert --apply --store FILE"
        })
final class DlqRepair extends LetterCommand {

    private static final int FAILURES_SHOWN = 5;

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Option(
            names = "--expression",
            paramLabel = "E",
            description = "A JSONata expression: gets the payload, gives the new payload.")
    private @Nullable String expression;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            converter = InputFileConverter.class,
            description = "A file with the expression; - for standard input.")
    private @Nullable InputFile file;

    @Option(names = "--revert", description = "Take the last repair of each letter back.")
    private boolean revert;

    @Option(names = "--apply", description = "Change the letters. Without it, nothing is changed.")
    private boolean apply;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Show so many changed letters as a diff, 0 to 100 (default: ${DEFAULT-VALUE}).")
    private int samples = 3;

    @Option(names = "--json", description = "One JSON object at the end.")
    private boolean json;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqRepair(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) throws IOException {
        int sources = (expression == null ? 0 : 1) + (file == null ? 0 : 1) + (revert ? 1 : 0);
        if (sources != 1) {
            throw wrong("give exactly one of --expression, --file and --revert, got " + sources);
        }
        if (apply && chosen.dryRun()) {
            throw wrong("--apply and --dry-run contradict each other; leave one of them out");
        }
        LetterSelection selection = chosen.selection("repair", context().time().now());
        return revert ? revert(operations, selection) : repair(operations, selection, compiled());
    }

    private RepairExpression compiled() throws IOException {
        String text = file == null
                ? String.valueOf(expression)
                : new String(file.bytes(context().in()), StandardCharsets.UTF_8);
        try {
            return RepairExpression.compile(text.strip());
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private int repair(Operations operations, LetterSelection selection, RepairExpression fix) {
        ProgressLine line = progressLine();
        RepairPreview preview =
                operations.repairs().preview(selection, fix, samples, done -> line.show(letters(done) + " evaluated"));
        line.end();
        noteMissing(preview.letters().missing());
        if (isNowhere(preview.letters())) {
            return ExitCodes.NOT_FOUND;
        }
        RepairCounts counts = preview.counts();
        if (apply && counts.changed() > 0) {
            ProgressLine applied = progressLine();
            counts = operations.repairs().apply(preview, fix, done -> applied.show(letters(done) + " done"));
            applied.end();
        }
        if (json) {
            say(json(preview, counts));
        } else {
            preview.samples().forEach(this::show);
            show(preview.failures(), counts.failing());
            say(letters(counts.letters()) + ": " + counts
                    + (apply ? "" : "; nothing was written, --apply changes them"));
        }
        if (apply && counts.changed() > 0) {
            note("next: redrive dlq redrive --canary … with the same letters" + onStore()
                    + "; --revert takes the repair back");
        }
        return 0;
    }

    private int revert(Operations operations, LetterSelection selection) {
        Preview preview = operations.letters().preview(selection);
        noteMissing(preview.missing());
        if (isNowhere(preview)) {
            return ExitCodes.NOT_FOUND;
        }
        if (!apply) {
            say("the last repair of up to " + letters(preview.letters())
                    + " would be taken back; nothing was written, --apply changes them");
            return 0;
        }
        ProgressLine line = progressLine();
        RepairCounts counts = operations.repairs().revert(preview, done -> line.show(letters(done) + " done"));
        line.end();
        say(json ? json(counts) : letters(counts.letters()) + ": " + counts);
        return 0;
    }

    private static boolean isNowhere(Preview preview) {
        return preview.letters() == 0 && !preview.missing().isEmpty();
    }

    private void show(RepairPreview.Sample sample) {
        say(paint().bold("letter " + sample.letter() + "  " + Printable.line(sample.name())));
        String before = PayloadText.of(sample.before(), sample.contentType());
        for (LineDiff.Line line : LineDiff.of(before, PayloadText.of(sample.after(), sample.contentType()))) {
            String text = "  " + line.sign().mark() + " " + line.text();
            switch (line.sign()) {
                case REMOVED -> say(paint().red(text));
                case ADDED -> say(paint().green(text));
                default -> say(paint().faint(text));
            }
        }
        say("");
    }

    private void show(List<RepairPreview.Failure> failures, long failing) {
        failures.stream()
                .limit(FAILURES_SHOWN)
                .forEach(failure -> say(
                        paint().yellow("letter " + failure.letter() + " fails: ") + Printable.line(failure.reason())));
        if (failing > FAILURES_SHOWN) {
            say("… and " + (failing - FAILURES_SHOWN) + " more");
        }
        if (failing > 0) {
            say("");
        }
    }

    private JsonObject json(RepairPreview preview, RepairCounts counts) {
        return json(counts)
                .put("applied", apply)
                .put(
                        "samples",
                        preview.samples().stream()
                                .map(sample -> new JsonObject()
                                        .put("letter", sample.letter())
                                        .put("before", new String(sample.before(), StandardCharsets.UTF_8))
                                        .put("after", new String(sample.after(), StandardCharsets.UTF_8)))
                                .toList())
                .put(
                        "failures",
                        preview.failures().stream()
                                .map(failure -> new JsonObject()
                                        .put("letter", failure.letter())
                                        .put("reason", failure.reason()))
                                .toList());
    }

    private static JsonObject json(RepairCounts counts) {
        return new JsonObject()
                .put("changed", counts.changed())
                .put("unchanged", counts.unchanged())
                .put("failing", counts.failing())
                .put("changed_meanwhile", counts.changedMeanwhile());
    }
}
