package io.redrive.cli;

import io.redrive.events.EventStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that works on a store: opens it, closes it, and turns what the store refuses into wrong input. */
abstract class StoreCommand extends ConsoleCommand implements Callable<Integer> {

    static final String EXIT_CODES = "%nExit codes:%n";
    static final String DONE = "0:done";
    static final String FAILED = "1:failed: nothing found under that id, or the store cannot be used";
    static final String WRONG = "2:wrong input; nothing was changed";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            required = true,
            defaultValue = "${env:REDRIVE_STORE}",
            description = "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment when not"
                    + " given; better for a URL with a password.")
    private String address;

    StoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try (EventStore store = open(address)) {
            return run(store);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    EventStore open(String at) {
        return context.stores().open(at);
    }

    abstract int run(EventStore store) throws Exception;

    /** What {@code --store} said, as it may be printed. */
    String shownStore() {
        return JdbcStores.shown(address);
    }

    static String letters(long count) {
        return count == 1 ? "1 letter" : count + " letters";
    }
}
