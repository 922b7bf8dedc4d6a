package io.redrive.cli;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.ConnectionSecrets;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.PostgresStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Stores by their address: a JDBC URL of PostgreSQL, or else a SQLite file. */
final class JdbcStores implements StoreOpener {

    private static final String JDBC = "jdbc:";
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final String MAKES_ONE =
            "; a pipeline makes one, and so do: redrive demo --store, redrive publish --create";

    @Override
    public EventStore open(String address) {
        if (!isUrl(address)) {
            return SqliteFiles.open(file(address));
        }
        if (!PostgresStore.exists(address)) {
            throw new CommandFailed("there is no store in " + shown(address) + MAKES_ONE);
        }
        return PostgresStore.open(address);
    }

    @Override
    public EventStore create(String address) {
        return isUrl(address) ? PostgresStore.open(address) : SqliteFiles.create(file(address));
    }

    @Override
    public RunStore openRuns(String address) {
        if (!isUrl(address)) {
            return SqliteFiles.openRuns(file(address));
        }
        if (!PostgresStore.exists(address)) {
            throw new CommandFailed("there is no store in " + shown(address) + "; redrive run makes one");
        }
        return PostgresRunStore.open(address);
    }

    @Override
    public RunStore createRuns(String address) {
        return isUrl(address) ? PostgresRunStore.open(address) : SqliteFiles.createRuns(file(address));
    }

    /** Where the log of a command goes that has the terminal for itself: beside the store's file. */
    static Path logFile(String address) {
        return Path.of((isUrl(address) ? "redrive" : address) + ".log");
    }

    /** As it may be printed: without its password. */
    static String shown(String address) {
        return ConnectionSecrets.hidden(address);
    }

    static boolean isUrl(String address) {
        boolean url = address.startsWith(JDBC) || address.matches("\\w+://.*");
        if (url && !address.startsWith(POSTGRES)) {
            throw new CommandFailed("no store can be opened at " + shown(address)
                    + ": --store takes a SQLite file or a URL such as " + POSTGRES
                    + "//HOST/DATABASE?user=NAME&password=PASSWORD");
        }
        return url;
    }

    private static Path file(String address) {
        try {
            return Path.of(address);
        } catch (InvalidPathException e) {
            throw new CommandFailed("'" + address + "' is no path of a file: " + e.getMessage(), e);
        }
    }
}
