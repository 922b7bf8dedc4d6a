package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Preview;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "purge", description = "Delete dead letters for good.")
final class DlqPurge extends LetterCommand {

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqPurge(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) {
        LetterSelection selection = chosen.selection("purge", context().time().now());
        Preview preview = operations.letters().preview(selection);
        long count = preview.letters();
        noteMissing(preview.missing());
        if (count == 0 && !preview.missing().isEmpty()) {
            return ExitCodes.NOT_FOUND;
        }
        if (chosen.dryRun()) {
            say(letters(count) + " would be deleted");
            return 0;
        }
        if (count == 0) {
            say("no letters to delete");
            return 0;
        }
        if (!yes && !isConfirmed("delete " + letters(count) + " for good")) {
            say("nothing was deleted");
            return 0;
        }
        ProgressLine progress = progressLine();
        long purged =
                operations.letters().purge(preview, deleted -> progress.show(deleted + " of " + count + " deleted"));
        progress.end();
        say(letters(purged) + " deleted");
        return 0;
    }
}
