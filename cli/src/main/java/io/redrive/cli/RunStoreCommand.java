package io.redrive.cli;

import io.redrive.items.store.RunStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that works on a store of runs: opens it, closes it, and turns what is refused into wrong input. */
abstract class RunStoreCommand extends ConsoleCommand implements Callable<Integer> {

    private static final String USUAL = "redrive-runs.db";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "${env:REDRIVE_STORE:-" + USUAL + "}",
            description =
                    "Where runs are remembered: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment"
                            + " when not given, or else " + USUAL + " in the current folder.")
    private String address;

    RunStoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try {
            return open();
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    /** Opens the store, which must be there, and runs; a command that has something to check before does that first. */
    int open() throws Exception {
        try (RunStore store = context.stores().openRuns(address)) {
            return run(store);
        }
    }

    abstract int run(RunStore store) throws Exception;

    String address() {
        return address;
    }

    /** What to add to a command that is to work on the same store; nothing where it is found without. */
    String onStore() {
        boolean found = address.equals(USUAL) || address.equals(System.getenv("REDRIVE_STORE"));
        return found ? "" : " --store " + JdbcStores.shown(address);
    }
}
