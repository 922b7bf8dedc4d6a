package io.redrive.cli.command;

import io.redrive.events.EventStore;
import picocli.CommandLine.Option;

/** A command that creates its store on request; without {@code --create} a missing store is an error. */
public abstract class StoreCreatingCommand extends OperationsCommand {

    @Option(
            names = "--create",
            description = "Make the store when there is none: the file, or the tables in PostgreSQL.")
    private boolean create;

    protected StoreCreatingCommand(Context context) {
        super(context);
    }

    @Override
    protected final void checkServer() {
        super.checkServer();
        if (create) {
            throw new IllegalArgumentException(
                    "--create must come with --store: it makes a store, and a server has one");
        }
    }

    @Override
    protected final EventStore open(String storeAddress) {
        return create ? context().stores().create(storeAddress) : super.open(storeAddress);
    }
}
