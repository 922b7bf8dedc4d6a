package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.cli.terminal.StopHook;
import io.redrive.core.DurationText;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Preview;
import io.redrive.pipeline.Redriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "redrive",
        description = "Bring dead letters back: each becomes a ready event again, with no attempt spent.",
        exitCodeList = {
            ExitCodes.DONE,
            ExitCodes.FAILED,
            ExitCodes.WRONG,
            "3:a canary halted: a cause returned, or events of a stage did not end",
            "130:stopped by Ctrl-C; the same command goes on"
        })
final class DlqRedrive extends LetterCommand {

    /** Exit code of a canary that halted because a cause returned. */
    static final int HALTED = 3;

    /** Exit code after Ctrl-C, as shells have it. */
    static final int STOPPED = 130;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)(?:/(s|m|h))?");

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Option(names = "--rate", paramLabel = "N/s", description = "No more than so many: 20/s, 100/m, 500/h.")
    private @Nullable String rate;

    @Option(
            names = "--canary",
            description = "First 1, then 10, then 100, then the rest; halts when a cause returns. Needs a running"
                    + " pipeline on the store, which it watches.")
    private boolean canary;

    @Option(
            names = "--stage-limit",
            paramLabel = "D",
            description = "How long the events of a canary's stage may take to end (default: 10m).")
    private @Nullable String stageLimit;

    @Option(names = "--yes", description = "Do not ask before --all.")
    private boolean yes;

    @Option(names = "--json", description = "One JSON object at the end.")
    private boolean json;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqRedrive(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) throws InterruptedException {
        LetterSelection selection = chosen.selection("redrive", context().time().now());
        Preview preview = operations.letters().preview(selection);
        long count = preview.letters();
        noteMissing(preview.missing());
        if (count == 0 && !preview.missing().isEmpty()) {
            return ExitCodes.NOT_FOUND;
        }
        if (chosen.dryRun()) {
            say(letters(count) + " would be redriven");
            return 0;
        }
        Redriver redriver = redriver(operations.letters().redrive(selection));
        if (chosen.isAll() && !yes && count > 0 && !isConfirmed("redrive all " + letters(count))) {
            say("nothing was redriven");
            return 0;
        }
        LiveNodes nodes = new LiveNodes(operations, context().time());
        if (canary) {
            nodes.require(this::note);
        } else {
            nodes.absence().ifPresent(this::note);
        }
        ProgressLine line = progressLine();
        try (StopHook hook = new StopHook(redriver::stop, STOP_LIMIT)) {
            Redriver.State end = redriver.run(context().time(), state -> progress(line, state));
            line.end();
            return report(end, redriver.batch());
        }
    }

    private void progress(ProgressLine line, Redriver.State state) {
        if (json) {
            return;
        }
        if (state instanceof Redriver.State.Working working) {
            line.show(working.redriven() + " of " + working.total() + " redriven");
        } else if (state instanceof Redriver.State.Waiting waiting) {
            String why = canary ? "; waiting for a pipeline to handle them" : "";
            line.show(waiting.redriven() + " of " + waiting.total() + " redriven" + why);
        }
    }

    private Redriver redriver(Redriver.Builder builder) {
        if (rate != null) {
            builder.perSecond(perSecond(rate));
        }
        if (canary) {
            builder.canary();
        }
        if (stageLimit != null) {
            builder.stageLimit(DurationText.parse(stageLimit));
        }
        return builder.build();
    }

    private int report(Redriver.State end, String batch) {
        if (end instanceof Redriver.State.Refused refused) {
            throw new CommandFailed(refused.why());
        }
        if (json) {
            say(json(end, batch));
        } else if (end instanceof Redriver.State.Halted halt) {
            say(paint().red("halted after " + letters(end.redriven())) + ": " + halt.why());
            new TreeSet<>(halt.fingerprints())
                    .forEach(cause -> say(
                            "  cause " + Printable.line(cause) + ", look at it with: redrive dlq list --fingerprint "
                                    + Printable.line(cause) + onStore()));
        } else if (end instanceof Redriver.State.Stopped stopped && stopped.redriven() >= stopped.total()) {
            say(paint().red("stopped") + " before the events ended; " + letters(end.redriven())
                    + " redriven, none is left");
        } else if (end instanceof Redriver.State.Stopped stopped) {
            say(paint().red("stopped after " + letters(end.redriven())) + " of " + stopped.total()
                    + "; the others are still dead letters");
            say("  to go on: " + sameCommand());
        } else {
            say(letters(end.redriven()) + " redriven");
        }
        return end instanceof Redriver.State.Halted ? HALTED : end instanceof Redriver.State.Stopped ? STOPPED : 0;
    }

    private static JsonObject json(Redriver.State end, String batch) {
        JsonObject object = new JsonObject().put("batch", batch).put("redriven", end.redriven());
        if (end instanceof Redriver.State.Halted halt) {
            return object.put("result", "halted")
                    .put("why", halt.why())
                    .put("fingerprints", List.copyOf(new TreeSet<>(halt.fingerprints())));
        }
        return object.put("result", end instanceof Redriver.State.Stopped ? "stopped" : "finished");
    }

    /** Returns this command as it was typed. Redriven letters are gone, so the same command redrives the rest. */
    private String sameCommand() {
        List<String> words = new ArrayList<>();
        for (String word : spec().commandLine().getParseResult().originalArgs()) {
            words.add(Printable.shellWord(JdbcStores.shown(word)));
        }
        return "redrive " + String.join(" ", words);
    }

    private static double perSecond(String rate) {
        Matcher matcher = RATE.matcher(rate.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--rate must be a number per s, m or h, such as 20/s; got '" + rate + "'");
        }
        double number = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        return unit.equals("s") ? number : unit.equals("m") ? number / 60 : number / 3_600;
    }
}
