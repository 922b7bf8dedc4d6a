package io.redrive.cli.command;

import io.redrive.cli.terminal.Printable;
import io.redrive.events.EventStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command on an event store. Opens and closes the store; a request that the store refuses is wrong input. */
public abstract class StoreCommand extends ConsoleCommand {

    private static final String VARIABLE = "REDRIVE_STORE";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment when not"
                    + " given; better for a URL with a password.")
    private @Nullable String address;

    protected StoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try (EventStore store = open(address())) {
            return run(store);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private String address() {
        String named = address == null ? context().environment().get(VARIABLE) : address;
        if (named == null || named.isBlank()) {
            throw wrong("which store? Give --store FILE, --store JDBC-URL, or set " + VARIABLE + " in the environment");
        }
        return named;
    }

    /** Opens the store at this address, which must exist. */
    protected EventStore open(String storeAddress) {
        return context().stores().open(storeAddress);
    }

    /** Does the work of the command and returns its exit code. */
    protected abstract int run(EventStore store) throws Exception;

    /** Returns the option that makes a suggested command use the same store; empty when the environment names the store. */
    protected final String onStore() {
        String named = address();
        return named.equals(context().environment().get(VARIABLE))
                ? ""
                : " --store " + Printable.shellWord(JdbcStores.shown(named));
    }
}
