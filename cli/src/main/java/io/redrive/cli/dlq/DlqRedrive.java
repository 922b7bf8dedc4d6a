package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.DurationOption;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.operations.FollowedRedrive;
import io.redrive.cli.operations.LiveNodes;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Preview;
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
            FollowedRedrive.HALTED_TEXT,
            FollowedRedrive.STOPPED_TEXT
        })
final class DlqRedrive extends LetterCommand {

    /** The rates that a plan takes. */
    private static final double LOWEST_RATE = 0.001;

    private static final double HIGHEST_RATE = 1_000_000;
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

    @Option(
            names = "--redacted",
            description =
                    "Also letters whose payload or headers were redacted before they were stored; their handlers get"
                            + " the replacements.")
    private boolean redacted;

    @Option(
            names = "--include-overtaken",
            description = "Also letters whose ordering key has a newer finished event; left out otherwise, because they"
                    + " would bring old data back. Known from the journal of the store.")
    private boolean includeOvertaken;

    @Option(names = "--no-wait", description = "Do not follow: leave the operation to the nodes of the store.")
    private boolean noWait;

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
        LetterSelection given = chosen.selection("redrive", context().time().now());
        LetterSelection named = redacted ? given.withRedacted() : given;
        LetterSelection selection = includeOvertaken ? named.includingOvertaken() : named;
        RedrivePlan plan = plan();
        Preview letters = operations.redrives().look(selection);
        noteMissing(letters.missing());
        long leftOut = operations.redrives().leftOut(selection);
        if (leftOut > 0) {
            note(letters(leftOut) + (leftOut == 1 ? " has" : " have") + " redacted parts and"
                    + (leftOut == 1 ? " is" : " are")
                    + " left out; write the payload with 'dlq edit', or add --redacted");
        }
        noteOvertaken(operations.redrives().overtaken(selection));
        if (letters.letters() == 0 && !letters.missing().isEmpty()) {
            return ExitCodes.NOT_FOUND;
        }
        if (chosen.dryRun()) {
            say(letters(letters.letters() - leftOut) + " would be redriven");
            return 0;
        }
        if (chosen.isAll()
                && !yes
                && letters.letters() > leftOut
                && !isConfirmed("redrive all " + letters(letters.letters() - leftOut))) {
            say("nothing was redriven");
            return 0;
        }
        LiveNodes nodes = new LiveNodes(operations, context().time());
        if (canary) {
            nodes.require(this::note);
        } else {
            nodes.absence().ifPresent(this::note);
        }
        try {
            return redrive(operations, selection, plan);
        } catch (RedriveRefusedException e) {
            throw new CommandFailed(e.getMessage() + "; see: redrive operations show " + e.operation() + onStore()
                    + "; nothing was" + " redriven");
        }
    }

    private int redrive(Operations operations, LetterSelection selection, RedrivePlan plan)
            throws InterruptedException {
        ProgressLine line = progressLine();
        RedriveOperation preview = operations
                .redrives()
                .preview(selection, plan, part -> line.show(part.counts().selected() + " letters selected"));
        FollowedRedrive followed = new FollowedRedrive(this, operations, line, json, onStore());
        if (preview.counts().selected() == 0) {
            operations.redrives().dismiss(preview.id());
            return followed.tellNothing(preview);
        }
        RedriveOperation started = operations.redrives().start(preview.id());
        return noWait ? followed.tellStart(started) : followed.follow(started);
    }

    private void noteOvertaken(long overtaken) {
        if (overtaken > 0) {
            note(letters(overtaken) + (overtaken == 1 ? " is" : " are")
                    + " left out: a newer event of the ordering key has finished, and a redrive would bring old data back;"
                    + " take such letters too with --include-overtaken");
        }
    }

    private RedrivePlan plan() {
        RedrivePlan plan = canary ? RedrivePlan.CANARY : RedrivePlan.ALL_AT_ONCE;
        plan = rate == null ? plan : plan.withPerSecond(perSecond(rate));
        return stageLimit == null ? plan : plan.withStageLimit(DurationOption.parse("--stage-limit", stageLimit));
    }

    private static double perSecond(String rate) {
        Matcher matcher = RATE.matcher(rate.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--rate must be a number per s, m or h, such as 20/s; got '" + rate + "'");
        }
        double number = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        double perSecond = unit.equals("s") ? number : unit.equals("m") ? number / 60 : number / 3_600;
        if (perSecond < LOWEST_RATE || perSecond > HIGHEST_RATE) {
            throw new IllegalArgumentException("--rate must be between 0.001/s and 1000000/s, got '" + rate
                    + "'; leave it out to redrive without a limit");
        }
        return perSecond;
    }
}
