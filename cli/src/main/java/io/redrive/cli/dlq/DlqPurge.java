package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "purge", description = "Delete dead letters for good.")
final class DlqPurge extends LetterCommand {

    private static final int AT_ONCE = 1_000;

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
    protected int run(EventStore store) {
        LetterFilter filter = chosen.filter("purge", context().time().now());
        DeadLetters letters = store.deadLetters();
        long count = Math.min(letters.count(filter), chosen.limit());
        List<Long> missing = chosen.missing(letters);
        noteMissing(missing);
        if (count == 0 && !missing.isEmpty()) {
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
        say(letters(purge(letters, filter, count)) + " deleted");
        return 0;
    }

    private long purge(DeadLetters letters, LetterFilter filter, long count) {
        OperatorCommand command = operator.command("purge");
        long purged = 0;
        while (purged < count) {
            int limit = (int) Math.min(AT_ONCE, count - purged);
            int now = letters.purge(filter, limit, command, context().time().now());
            purged += now;
            if (now == 0) {
                break;
            }
        }
        return purged;
    }
}
