package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.RunOperations;
import picocli.CommandLine.Command;

@Command(
        name = "cancel",
        description = "Call a run off: every process that works on it stops soon. It can be resumed all the same.")
final class RunsCancel extends OneRunCommand {

    RunsCancel(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations runs, RunRecord run) {
        boolean cancelled = runs.cancel(run.id());
        say(
                cancelled
                        ? "run " + run.id() + " is called off"
                        : "run " + run.id() + " has ended already: "
                                + run.status().code());
        return 0;
    }
}
