package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.PayloadField;
import io.redrive.events.PayloadSearch;
import io.redrive.events.StoreException;
import io.redrive.items.FolderSync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.Function;
import org.sqlite.SQLiteConfig;

/** Opens connections to the store's file, all with the same settings. */
final class SqliteFile {

    /** 16 MiB at the usual page size: one checkpoint for many commits, and a bounded log file. */
    private static final int CHECKPOINT_PAGES = 4_000;

    private static final int MAX_WAL_BYTES = 64 * 1024 * 1024;
    private static final int WRITER_CACHE_KIB = 16 * 1024;
    private static final int READER_CACHE_KIB = 4 * 1024;
    private static final long LOCK_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    /** About two seconds, shared by all writes still queued when the store is closed. */
    private static final int CLOSING_POLLS = 8_000;

    private static final Pattern URL = Pattern.compile("^(jdbc:|postgres(ql)?:)");

    private final Path path;
    private final SqliteOptions options;
    private final AtomicInteger closingPolls = new AtomicInteger(CLOSING_POLLS);
    private volatile boolean closing;
    /** The part of {@code lockTimeout} that the writer has waited for its turn. */
    private volatile long turnNanos;

    SqliteFile(Path path, SqliteOptions options) {
        this.path = path.toAbsolutePath();
        this.options = options;
        requireFile(path);
        SqliteLibrary.load();
    }

    /** Refuses URLs: SQLite would create a file of that name, and the events would never reach the database. */
    private static void requireFile(Path path) {
        Matcher url = URL.matcher(path.toString());
        if (url.find()) {
            throw new IllegalArgumentException("path must be that of a file, got one that begins with '" + url.group()
                    + "'; open a database with PostgresStore.open(url) or PostgresRunStore.open(url), and a SQLite"
                    + " file by its path alone");
        }
    }

    Path path() {
        return path;
    }

    /** Returns true when a file is at the path, empty or not. */
    boolean exists() {
        return Files.exists(path);
    }

    /**
     * Shortens every wait for the file's lock. A process that stops must not wait {@code lockTimeout} for each queued
     * write while another process holds the lock.
     */
    void closing() {
        closing = true;
    }

    /**
     * Begins a transaction that writes, after other stores that have waited longer for the same file. Waits {@code lockTimeout}
     * at most, and half of that for the turn: the store with the turn may be a process that was stopped. The turn stays with the
     * store when the transaction has begun.
     */
    void beginWriting(SqliteSession session, SqliteTurn turn) throws SQLException {
        turnNanos = turn.take(options.lockTimeout().toNanos() / 2, () -> closing);
        try {
            session.begin(SqliteSql.BEGIN_WRITING);
        } catch (SQLException e) {
            turn.pass();
            throw e;
        } finally {
            turnNanos = 0;
        }
    }

    String url() {
        return "jdbc:sqlite:" + path;
    }

    /**
     * Device and inode of the file at the path, which change when another file is moved there. Empty on file systems
     * without inodes, such as NTFS, which refuse to delete an open file.
     *
     * @throws StoreException when no file is at the path
     */
    Optional<Object> identity() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException e) {
            throw new StoreException("store " + path + ": the file was deleted or moved away while the store was open;"
                    + " the call is not acknowledged. Bring the file back, or stop every process that uses the store"
                    + " and start again");
        } catch (IOException e) {
            throw new StoreException("store " + path + ": the file cannot be looked at (" + e + ")", e);
        }
    }

    /** Throws when the file at the path is not the file of this identity. */
    void requireIdentity(Optional<Object> opened) {
        Optional<Object> now = identity();
        if (!now.equals(opened)) {
            throw new StoreException("store " + path + ": another file was put in the place of the one that is open"
                    + " (device and inode were " + opened.orElse("unknown") + ", are " + now.orElse("unknown")
                    + "); the call is not acknowledged. Stop every process that uses the store, put the right file"
                    + " in place, and start again");
        }
    }

    /** Syncs the folder, so that the names of the file and of its log survive a power loss. */
    void syncFolder() {
        try {
            FolderSync.syncFolderOf(path);
        } catch (IOException e) {
            throw new StoreException("store " + path + ": its folder cannot be synced (" + e + ")", e);
        }
    }

    /** Opens the file without changing it, not even its journal mode: the file may turn out to be no store. */
    SqliteSession openToInspect() throws SQLException {
        return open(new SQLiteConfig(), READER_CACHE_KIB);
    }

    /**
     * Opens the connection that writes. Switching a new file to a write-ahead log needs the file alone, and SQLite refuses the
     * switch at once, without waiting, while another process opens the same new file. So the switch is tried again until
     * {@code lockTimeout} is over.
     */
    SqliteSession openWriter() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setJournalSizeLimit(MAX_WAL_BYTES);
        config.setWalAutocheckpoint(CHECKPOINT_PAGES);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        Time time = Time.system();
        long began = time.nanos();
        while (true) {
            try {
                return open(config, WRITER_CACHE_KIB);
            } catch (SQLException e) {
                if (time.nanos() - began >= options.lockTimeout().toNanos() || !SqliteErrors.isBusy(e)) {
                    throw e;
                }
                LockSupport.parkNanos(LOCK_POLL_NANOS);
            }
        }
    }

    SqliteSession openReader() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        return open(config, READER_CACHE_KIB);
    }

    private SqliteSession open(SQLiteConfig config, int cacheKib) throws SQLException {
        config.setCacheSize(-cacheKib);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setBusyTimeout((int) options.lockTimeout().toMillis());
        config.setGetGeneratedKeys(false);
        Connection connection = config.createConnection(url());
        try {
            BusyHandler.setHandler(
                    connection, new Patience(options.lockTimeout().toNanos() / LOCK_POLL_NANOS));
            Function.create(connection, SqliteSql.CONTAINS_FUNCTION, new Contains());
            Function.create(connection, SqliteSql.PAYLOAD_CONTAINS_FUNCTION, new PayloadContains());
            Function.create(connection, SqliteSql.PAYLOAD_HAS_FUNCTION, new PayloadHas());
            return new SqliteSession(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Asks for the lock four times in a millisecond; {@link SqliteTurn} lets one store at a time write. SQLite's own handler soon
     * asks only every 100 ms, and hardly ever hits the gap between two transactions of a busy process.
     */
    private final class Patience extends BusyHandler {
        private final long polls;

        Patience(long polls) {
            this.polls = polls;
        }

        @Override
        protected int callback(int askedBefore) {
            long left = polls - turnNanos / LOCK_POLL_NANOS;
            if (askedBefore >= left || (closing && closingPolls.decrementAndGet() < 0)) {
                return 0;
            }
            LockSupport.parkNanos(LOCK_POLL_NANOS);
            return 1;
        }
    }

    /** Searches text without regard to case. SQLite's own {@code lower} knows ASCII only. */
    private static final class Contains extends Function {
        @Override
        protected void xFunc() throws SQLException {
            String text = value_text(0);
            boolean found = text != null && text.toLowerCase(Locale.ROOT).contains(value_text(1));
            result(found ? 1 : 0);
        }
    }

    /** Searches payloads, as {@link Dialect#POSTGRES} does in SQL. */
    private static final class PayloadContains extends Function {
        @Override
        protected void xFunc() throws SQLException {
            byte[] payload = value_blob(0);
            result(payload != null && PayloadSearch.contains(payload, value_text(1)) ? 1 : 0);
        }
    }

    /** Compares a field of payloads, as {@link Dialect#POSTGRES} does by a function of its own. */
    private static final class PayloadHas extends Function {
        /** The field of the last call: null before the first call, because most connections never need the JSON parser. */
        private @Nullable PayloadField field;

        @Override
        protected void xFunc() throws SQLException {
            byte[] payload = value_blob(0);
            String asked = value_text(1);
            PayloadField wanted = field;
            if (wanted == null || !asked.equals(wanted.toString())) {
                wanted = PayloadField.parse(asked);
                field = wanted;
            }
            result(payload != null && wanted.isIn(payload) ? 1 : 0);
        }
    }
}
