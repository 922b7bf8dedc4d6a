package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.RunOperations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "delete", description = "Forget a run with its samples and its audit trail. Its output file stays.")
final class RunsDelete extends OneRunCommand {

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    RunsDelete(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations runs, RunRecord run) {
        if (!yes && !isConfirmed("forget run " + run.id() + ", " + run.balance() + ", for good")) {
            say("nothing was deleted");
            return 0;
        }
        runs.delete(run.id());
        say("run " + run.id() + " is deleted, its output stays");
        return 0;
    }
}
