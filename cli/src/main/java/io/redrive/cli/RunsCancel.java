package io.redrive.cli;

import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = "Call a run off: every process that works on it stops soon. It can be resumed all the same.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsCancel extends RunStoreCommand {

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run;

    RunsCancel(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) {
        RunRecord found = RunText.find(store.archive(), run, context.time().now());
        boolean called = store.archive().cancel(run, context.time().now());
        say(
                called
                        ? "run " + run + " is called off"
                        : "run " + run + " has ended already: " + found.status().code());
        return 0;
    }
}
