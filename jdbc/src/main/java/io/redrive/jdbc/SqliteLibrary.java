package io.redrive.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library on a thread of its own. The driver unpacks the library from its jar, which takes about as long as
 * the rest of the driver's start (formats of dates, settings of a connection) takes on the calling thread: side by side, the first
 * store of a process opens sooner. The driver lets a connection wait until the library is loaded.
 */
final class SqliteLibrary {

    private static final Logger LOG = System.getLogger(SqliteLibrary.class.getName());
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private SqliteLibrary() {}

    /** Begins to load the library, with the first call in this process. */
    static void loadAhead() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread loader = new Thread(SqliteLibrary::load, "redrive-sqlite-library");
            loader.setDaemon(true);
            loader.start();
        }
    }

    private static void load() {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            // The first connection meets the same failure, and reports it to the caller.
            LOG.log(Level.DEBUG, "SQLite's library was not loaded ahead", e);
        }
    }
}
