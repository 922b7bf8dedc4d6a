package io.redrive.cli.command;

import io.redrive.cli.terminal.Printable;
import io.redrive.events.EventStore;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command on an event store, or on a server. Opens and closes the store; a request that the store or the server refuses is wrong
 * input.
 */
public abstract class StoreCommand extends ConsoleCommand {

    private static final String VARIABLE = "REDRIVE_STORE";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment when not"
                    + " given; better for a URL with a password.")
    private @Nullable String address;

    @Mixin
    private ServerOptions server = new ServerOptions();

    protected StoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try {
            Optional<String> url = serverUrl();
            if (url.isPresent()) {
                return run(connected(ServerOptions.parse(url.get())));
            }
            try (EventStore store = open(address())) {
                return run(store);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private Operations connected(URI url) throws IOException {
        checkServer();
        return context()
                .servers()
                .open(
                        url,
                        server.credentials(url, context().environment()),
                        context().time());
    }

    /** Returns the server to ask; empty for a store. */
    private Optional<String> serverUrl() {
        if (server.isGiven() && address != null) {
            throw wrong("--server and --store contradict each other; leave one of them out");
        }
        Optional<String> url = address == null ? server.given(context().environment()) : Optional.empty();
        if (url.isPresent() && !server.isGiven() && context().environment().get(VARIABLE) != null) {
            throw wrong(ServerOptions.VARIABLE + " and " + VARIABLE
                    + " are both set in the environment; say which one with --server or --store");
        }
        if (url.isEmpty() && server.strayOption().isPresent()) {
            throw wrong(server.strayOption().get() + " must come with --server URL");
        }
        return url;
    }

    private String address() {
        String named = address == null ? context().environment().get(VARIABLE) : address;
        if (named == null || named.isBlank()) {
            throw wrong("which store? Give --store FILE, --store JDBC-URL or --server URL, or set " + VARIABLE + " or "
                    + ServerOptions.VARIABLE + " in the environment");
        }
        return named;
    }

    /**
     * Refuses options that have no meaning for a server.
     *
     * @throws IllegalArgumentException naming the option
     */
    protected void checkServer() {}

    /** Opens the store at this address, which must exist. */
    protected EventStore open(String storeAddress) {
        return context().stores().open(storeAddress);
    }

    /** Does the work of the command on a store and returns its exit code. */
    protected abstract int run(EventStore store) throws Exception;

    /** Does the work of the command with the operations of a store or a server and returns its exit code. */
    protected abstract int run(Operations operations) throws Exception;

    /**
     * Returns the option that makes a suggested command use the same store or server; empty when the environment names it.
     */
    protected final String onStore() {
        if (serverUrl().isPresent()) {
            return server.suggested();
        }
        String named = address();
        return named.equals(context().environment().get(VARIABLE))
                ? ""
                : " --store " + Printable.shellWord(JdbcStores.shown(named));
    }
}
