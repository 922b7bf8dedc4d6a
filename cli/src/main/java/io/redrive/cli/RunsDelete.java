package io.redrive.cli;

import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = "Forget a run with its samples and its audit trail. Its output file stays.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsDelete extends RunStoreCommand {

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    RunsDelete(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) {
        RunRecord found = RunText.find(store.archive(), run, context.time().now());
        if (!yes && !isConfirmed(found)) {
            say("nothing was deleted");
            return 0;
        }
        store.archive().delete(run, context.time().now());
        say("run " + run + " is deleted, its output stays");
        return 0;
    }

    private boolean isConfirmed(RunRecord found) {
        if (!context.terminal().isInteractive()) {
            throw wrong("this would forget run " + run + " for good; say --yes");
        }
        String answer = context.terminal().ask("Forget run " + run + ", " + found.balance() + ", for good? [y/N] ");
        return answer.toLowerCase(Locale.ROOT).matches("y|yes");
    }
}
