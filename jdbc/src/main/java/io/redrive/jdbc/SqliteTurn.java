package io.redrive.jdbc;

import io.redrive.core.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the stores that write to one SQLite file take turns, in one process or in several.
 *
 * <p>SQLite has no queue for its write lock: a busy store which commits and begins again at once gets the lock nearly every
 * time, and a store that asks now and then may wait until its time-out. So a store writes only while the store has the turn, a
 * lock on the first byte of the file {@code FILE-turn} beside the database. A store keeps its turn for {@link #LENGTH} at most,
 * and for several transactions: changing hands costs a wait, and after the transaction of another store SQLite reads all pages
 * anew. A store that runs out of work passes the turn on before.
 *
 * <p>One of the waiting stores is next, by a lock on the second byte. Only the store that is next asks for the turn, and a store
 * whose turn is over has to become next first. So a busy store cannot overtake a waiting store. Stores that wait to be next ask
 * more often the longer they wait.
 *
 * <p>The turn is a courtesy: SQLite's own lock keeps the file safe. A store that cannot have the turn (a folder that refuses the
 * file, a file system without locks, a process that was stopped during its turn) writes without the turn. The file has no content;
 * the store that closes deletes the file, and the next write of another store makes the file again.
 *
 * <p>Used by the writer thread alone, but for {@link #close}, which is called after the thread has ended.
 */
final class SqliteTurn implements AutoCloseable {

    /** A store lets the next store have the turn after this time, between two transactions. */
    static final long LENGTH = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long POLL_AS_NEXT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long FIRST_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(1_000);
    private static final long LATER_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    /** After this time of waiting a store asks more often. */
    private static final long PATIENT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long TURN_BYTE = 0;
    private static final long NEXT_BYTE = 1;

    private final Path path;
    private final Time time;
    private @Nullable FileChannel channel;
    private @Nullable Object openedKey;
    private @Nullable FileLock next;
    private @Nullable FileLock held;
    private long heldSince;

    SqliteTurn(Path database, Time time) {
        path = database.resolveSibling(database.getFileName() + "-turn");
        this.time = time;
    }

    /**
     * Goes on with the turn, or waits for the turn, {@code nanos} at most, and not when {@code hurried}.
     *
     * @return the nanoseconds that passed
     */
    long take(long nanos, BooleanSupplier hurried) {
        long began = time.nanos();
        if (held != null && began - heldSince < LENGTH) {
            return 0;
        }
        pass();
        long waited = 0;
        while (!tryTake() && waited < nanos && !hurried.getAsBoolean()) {
            LockSupport.parkNanos(pollNanos(waited));
            waited = time.nanos() - began;
        }
        release(next);
        next = null;
        heldSince = began + waited;
        return waited;
    }

    private long pollNanos(long waited) {
        if (next != null) {
            return POLL_AS_NEXT_NANOS;
        }
        return waited < PATIENT_NANOS ? FIRST_POLL_NANOS : LATER_POLL_NANOS;
    }

    /** Becomes next and then takes the turn, as far as other stores allow. Returns false when another store has the turn. */
    private boolean tryTake() {
        try {
            if (next == null) {
                next = opened().tryLock(NEXT_BYTE, 1, false);
            }
            if (next != null) {
                held = opened().tryLock(TURN_BYTE, 1, false);
            }
            return held != null;
        } catch (OverlappingFileLockException e) {
            return false; // another store of this process
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            closeChannel();
            return true;
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel open = channel;
        if (open == null || !key().equals(openedKey)) {
            // The file does not exist yet, or a store that closed has deleted the file.
            closeChannel();
            open = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel = open;
            openedKey = key();
        }
        return open;
    }

    private Object key() throws IOException {
        if (!Files.exists(path)) {
            return "none";
        }
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path : key;
    }

    boolean isHeld() {
        return held != null;
    }

    /** Lets another store have the turn. */
    void pass() {
        release(held);
        held = null;
    }

    private void release(@Nullable FileLock lock) {
        if (lock != null) {
            try {
                lock.release();
            } catch (IOException e) {
                closeChannel(); // closing releases the lock too
            }
        }
    }

    private void closeChannel() {
        FileChannel open = channel;
        channel = null;
        next = null;
        held = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The turn is a courtesy: the next take opens the file again.
                openedKey = null;
            }
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            closeChannel();
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                // An empty file stays beside the database.
                openedKey = null;
            }
        }
    }
}
