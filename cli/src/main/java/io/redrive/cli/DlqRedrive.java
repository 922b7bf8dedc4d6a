package io.redrive.cli;

import io.redrive.core.DurationText;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.Redriver;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "redrive",
        description = "Bring dead letters back: each becomes a ready event again, with no attempt spent.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {
            StoreCommand.DONE,
            StoreCommand.FAILED,
            StoreCommand.WRONG,
            "3:a canary was halted: what failed before failed again, or did not end"
        })
final class DlqRedrive extends StoreCommand {

    /** A canary stopped before the end. */
    static final int HALTED = 3;

    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)(?:/(s|m|h))?");

    @Mixin
    private ChosenLetters chosen;

    @Option(names = "--rate", paramLabel = "N/s", description = "No more than so many: 20/s, 100/m, 500/h.")
    private String rate;

    @Option(
            names = "--canary",
            description = "First 1, then 10, then 100, then the rest; halts when a cause returns. Needs a running"
                    + " pipeline on the store, which it watches.")
    private boolean canary;

    @Option(
            names = "--stage-limit",
            paramLabel = "D",
            description = "How long the events of a canary's stage may take to end (default: 10m).")
    private String stageLimit;

    @Option(names = "--json", description = "One JSON object at the end.")
    private boolean json;

    @Mixin
    private OperatorOption operator;

    DlqRedrive(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) throws InterruptedException {
        LetterFilter filter = chosen.filter("redrive", context.time().now());
        DeadLetters letters = store.deadLetters();
        if (chosen.dryRun()) {
            say(letters(Math.min(letters.count(filter), chosen.limit())) + " would be redriven");
            return 0;
        }
        Redriver redriver = redriver(letters, filter);
        RedriveLine line = new RedriveLine(context, canary, this::note, out());
        Redriver.State end = redriver.run(context.time(), json ? state -> {} : line);
        line.end();
        return tell(end, redriver.batch());
    }

    private Redriver redriver(DeadLetters letters, LetterFilter filter) {
        Redriver.Builder builder =
                Redriver.of(letters).filter(filter).limit(chosen.limit()).operator(operator.name());
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

    private int tell(Redriver.State end, String batch) {
        boolean halted = end instanceof Redriver.State.Halted;
        if (json) {
            Json.Obj object = new Json.Obj()
                    .put("batch", batch)
                    .put("redriven", end.redriven())
                    .put("result", halted ? "halted" : "finished");
            if (end instanceof Redriver.State.Halted halt) {
                object.put("why", halt.why()).put("fingerprints", List.copyOf(new TreeSet<>(halt.fingerprints())));
            }
            say(object);
        } else if (end instanceof Redriver.State.Halted halt) {
            say(paint().red("halted after " + letters(end.redriven())) + ": " + halt.why());
            new TreeSet<>(halt.fingerprints())
                    .forEach(cause -> say("  cause " + cause + ", look at it with: redrive dlq" + " list --fingerprint "
                            + cause + " --store " + shownStore()));
        } else {
            say(letters(end.redriven()) + " redriven");
        }
        return halted ? HALTED : 0;
    }

    private static double perSecond(String rate) {
        Matcher matcher = RATE.matcher(rate.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--rate must be a number by s, m or h, such as 20/s; got '" + rate + "'");
        }
        double number = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        return unit.equals("s") ? number : unit.equals("m") ? number / 60 : number / 3_600;
    }
}
