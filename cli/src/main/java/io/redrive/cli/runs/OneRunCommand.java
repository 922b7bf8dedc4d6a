package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.RunOperations;
import picocli.CommandLine.Parameters;

/** A command on the run whose id is its first parameter. */
abstract class OneRunCommand extends StoredRunsCommand {

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    OneRunCommand(Context context) {
        super(context);
    }

    @Override
    final int run(RunOperations runs) throws Exception {
        return run(runs, RunText.find(runs, id));
    }

    /** Does the work of the command on this run and returns the exit code. */
    abstract int run(RunOperations runs, RunRecord run) throws Exception;
}
