package io.redrive.cli.command;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.ConnectionSecrets;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.PostgresStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

/** Opens stores: PostgreSQL by a JDBC URL, SQLite by the name of a file. */
public final class JdbcStores implements StoreOpener {

    /** What the demo has handled can be found, and compared with its dead letters. */
    private static final Duration JOURNAL = Duration.ofHours(24);

    private static final String JDBC = "jdbc:";
    private static final String POSTGRES = "jdbc:postgresql:";

    @Override
    public EventStore open(String address) {
        if (!isUrl(address)) {
            return SqliteFiles.open(file(address));
        }
        if (!PostgresStore.exists(address)) {
            throw new CommandFailed("there is no store in " + shown(address) + SqliteFiles.EVENTS_REMEDY);
        }
        return PostgresStore.open(address);
    }

    @Override
    public EventStore create(String address) {
        return isUrl(address)
                ? PostgresStore.open(address, PostgresOptions.DEFAULT.withJournal(JOURNAL))
                : SqliteFiles.create(file(address), JOURNAL);
    }

    @Override
    public RunStore openRuns(String address) {
        if (!isUrl(address)) {
            return SqliteFiles.openRuns(file(address));
        }
        if (!PostgresStore.exists(address)) {
            throw new CommandFailed("there is no store in " + shown(address) + SqliteFiles.RUNS_REMEDY);
        }
        return PostgresRunStore.open(address);
    }

    @Override
    public RunStore createRuns(String address) {
        return isUrl(address) ? PostgresRunStore.open(address) : SqliteFiles.createRuns(file(address));
    }

    /** Returns the log file of a command that draws on the whole terminal: beside the store's file. */
    public static Path logFile(String address) {
        return Path.of((isUrl(address) ? "redrive" : address) + ".log");
    }

    /** Returns the address without its password, for output. */
    public static String shown(String address) {
        return ConnectionSecrets.hidden(address);
    }

    /**
     * Returns true when the address is a JDBC URL of PostgreSQL.
     *
     * @throws CommandFailed when the address is a URL of another database
     */
    public static boolean isUrl(String address) {
        boolean url = address.startsWith(JDBC) || address.matches("\\w+://.*");
        if (url && !address.startsWith(POSTGRES)) {
            throw new CommandFailed("--store must be a SQLite file or a URL such as " + POSTGRES
                    + "//HOST/DATABASE?user=NAME&password=PASSWORD, got " + shown(address));
        }
        return url;
    }

    private static Path file(String address) {
        try {
            return Path.of(address);
        } catch (InvalidPathException e) {
            throw new CommandFailed("--store must be the path of a file, got '" + address + "': " + e.getMessage(), e);
        }
    }
}
