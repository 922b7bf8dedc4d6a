package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.items.store.RunStore;

/** A command on existing runs. Opens the store, which must exist, and closes the store at the end. */
abstract class StoredRunsCommand extends RunStoreCommand {

    StoredRunsCommand(Context context) {
        super(context);
    }

    @Override
    final int execute() throws Exception {
        try (RunStore store = context().stores().openRuns(address())) {
            return run(store);
        }
    }

    /** Does the work of the command on the open store and returns its exit code. */
    abstract int run(RunStore store) throws Exception;
}
