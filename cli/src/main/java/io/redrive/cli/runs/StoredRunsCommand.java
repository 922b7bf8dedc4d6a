package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ServerOptions;
import io.redrive.items.store.RunStore;
import io.redrive.operations.RunOperations;
import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** A command on existing runs. Opens the store, which must exist, and closes the store at the end; or asks a server. */
abstract class StoredRunsCommand extends RunStoreCommand {

    @Mixin
    private ServerOptions server = new ServerOptions();

    StoredRunsCommand(Context context) {
        super(context);
    }

    @Override
    final int execute() throws Exception {
        Optional<String> url = serverUrl();
        if (url.isPresent()) {
            URI server = ServerOptions.parse(url.get());
            return run(context()
                    .servers()
                    .open(
                            server,
                            this.server.credentials(server, context().environment()),
                            context().time())
                    .runs());
        }
        try (RunStore store = context().stores().openRuns(address())) {
            return run(store);
        }
    }

    /** Returns the server to ask; empty for a store. */
    private Optional<String> serverUrl() {
        boolean named = isStoreGiven();
        if (server.isGiven() && named) {
            throw wrong("--server and --store contradict each other; leave one of them out");
        }
        Optional<String> url = named ? Optional.empty() : server.given(context().environment());
        if (url.isPresent() && !server.isGiven() && isStoreInEnvironment()) {
            throw wrong(ServerOptions.VARIABLE + " and " + VARIABLE
                    + " are both set in the environment; say which one with --server or --store");
        }
        if (url.isEmpty() && server.strayOption().isPresent()) {
            throw wrong(server.strayOption().get() + " must come with --server URL");
        }
        return url;
    }

    /** Does the work of the command on an open store and returns its exit code. */
    int run(RunStore store) throws Exception {
        return run(RunOperations.of(store, context().time()));
    }

    /** Does the work of the command on the runs of a store or a server and returns its exit code. */
    abstract int run(RunOperations runs) throws Exception;

    @Override
    final String onStore() {
        return serverUrl().isPresent() ? server.suggested() : super.onStore();
    }
}
