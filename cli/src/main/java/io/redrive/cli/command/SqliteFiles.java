package io.redrive.cli.command;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteRunStore;
import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Opens stores in SQLite files. */
final class SqliteFiles {

    /** Names the commands that create an event store, for the message about a missing store. */
    static final String EVENTS_REMEDY =
            "; a pipeline makes one, and so do: redrive demo --store, redrive publish --create";

    /** Names the command that creates a run store, for the message about a missing store. */
    static final String RUNS_REMEDY = "; redrive run makes one";

    private static final String SQLITE = "SQLite format 3";

    private SqliteFiles() {}

    static EventStore open(Path file) {
        requireStore(file, EVENTS_REMEDY);
        return SqliteStore.open(file);
    }

    static RunStore openRuns(Path file) {
        requireStore(file, RUNS_REMEDY);
        return SqliteRunStore.open(file);
    }

    static RunStore createRuns(Path file) {
        return isThere(file) ? openRuns(file) : SqliteRunStore.open(file);
    }

    private static void requireStore(Path file, String remedy) {
        if (!isThere(file)) {
            throw new CommandFailed("there is no store at " + file + remedy);
        }
        if (!isSqlite(file)) {
            throw new CommandFailed(
                    "--store must be a SQLite database, got " + file + ", which is another kind of file");
        }
    }

    static EventStore create(Path file, Duration journal) {
        if (isThere(file)) {
            requireStore(file, EVENTS_REMEDY);
        }
        return SqliteStore.open(file, SqliteOptions.DEFAULT.withJournal(journal));
    }

    /** Returns false for an empty file too, which a process leaves behind when it is killed while creating the store. */
    private static boolean isThere(Path file) {
        try {
            return Files.exists(file) && (!Files.isRegularFile(file) || Files.size(file) > 0);
        } catch (IOException e) {
            throw new CommandFailed(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isSqlite(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(SQLITE.length()), StandardCharsets.US_ASCII).equals(SQLITE);
        } catch (IOException e) {
            throw new CommandFailed(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
