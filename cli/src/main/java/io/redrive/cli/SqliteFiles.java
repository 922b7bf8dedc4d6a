package io.redrive.cli;

import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.SqliteRunStore;
import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stores in SQLite files, the ones that need no server. */
final class SqliteFiles {

    private static final String SQLITE = "SQLite format 3";

    private SqliteFiles() {}

    static EventStore open(Path file) {
        requireStore(file, "; a pipeline makes one, and so do: redrive demo --store, redrive publish --create");
        return SqliteStore.open(file);
    }

    static RunStore openRuns(Path file) {
        requireStore(file, "; redrive run makes one");
        return SqliteRunStore.open(file);
    }

    static RunStore createRuns(Path file) {
        return isThere(file) ? openRuns(file) : SqliteRunStore.open(file);
    }

    private static void requireStore(Path file, String makesOne) {
        if (!isThere(file)) {
            throw new CommandFailed("there is no store at " + file + makesOne);
        }
        if (!isSqlite(file)) {
            throw new CommandFailed(file + " is no store: it is not a SQLite database");
        }
    }

    static EventStore create(Path file) {
        return isThere(file) ? open(file) : SqliteStore.open(file);
    }

    /** An empty file is what a process leaves that was killed as it made the store: to SQLite, a database with nothing in it. */
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
