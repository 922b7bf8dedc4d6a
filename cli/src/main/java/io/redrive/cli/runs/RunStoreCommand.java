package io.redrive.cli.runs;

import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command on a run store. Input that a part of the command refuses is wrong input. */
abstract class RunStoreCommand extends ConsoleCommand {

    private static final String USUAL_FILE = "redrive-runs.db";
    static final String VARIABLE = "REDRIVE_STORE";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "Where runs are remembered: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment"
                            + " when not given, or else " + USUAL_FILE + " in the current folder.")
    private @Nullable String given;

    RunStoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try {
            return execute();
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    /** Does the work of the command and returns its exit code. */
    abstract int execute() throws Exception;

    final String address() {
        return given == null ? context().environment().getOrDefault(VARIABLE, USUAL_FILE) : given;
    }

    final boolean isStoreGiven() {
        return given != null;
    }

    final boolean isStoreInEnvironment() {
        return context().environment().get(VARIABLE) != null;
    }

    /** Returns the option that makes a suggested command use the same store; empty when a command finds the store without it. */
    String onStore() {
        boolean found = address().equals(USUAL_FILE)
                || address().equals(context().environment().get(VARIABLE));
        return found ? "" : " --store " + JdbcStores.shown(address());
    }
}
