package io.redrive.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library on a thread of its own, while the thread that opens a store loads the classes. The driver unpacks the
 * library from its jar once in each process, which takes as long as all classes together.
 */
final class SqliteLibrary {

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private SqliteLibrary() {}

    /** Begins to load the library, at the first call in a process, and returns at once. The first connection waits for the library. */
    static void load() {
        if (!BEGUN.get() && BEGUN.compareAndSet(false, true)) {
            Thread thread = new Thread(SqliteLibrary::initialize, "redrive-sqlite-library");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void initialize() {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            // The first connection tries again and reports the same failure to its caller.
            BEGUN.set(false);
        }
    }
}
