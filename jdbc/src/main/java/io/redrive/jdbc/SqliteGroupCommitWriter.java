package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Everything that writes goes through here: one thread, one connection, and as many callers to a commit as there are
 * waiting.
 *
 * <p><b>Why.</b> SQLite has one writer at a time, and a durable commit costs a sync of the disk, whatever it holds. Callers
 * that commit one by one queue up for both. So callers hand their work over and wait; the thread takes all that is queued,
 * runs it in one transaction, commits once, and only then answers everybody. While one group is being synced the next one
 * gathers, so the groups grow by themselves with the load, and a lone caller waits for nobody. Only after a
 * group of several it lingers for a tenth of a millisecond, see {@link #linger}.
 *
 * <p><b>One failure does not spoil the others.</b> When any work of a group fails, the whole transaction is rolled back and
 * each work is run again in a transaction of its own; only the culprit sees its failure. Work is therefore written to be
 * run twice: it reads its input, writes through the session and keeps nothing in between. A savepoint around each work
 * would do the same and was rejected: SQLite copies every page a savepoint touches, on each success, for the sake of a
 * failure that hardly ever comes.
 *
 * <p><b>Syncing what must be.</b> A transaction of claims, extensions and housekeeping alone is committed without a sync:
 * if power fails it never happened, and its claimers died with it. The log keeps the order, so nothing that was synced
 * can depend on something lost. A group with a publish or a settlement in it is always synced.
 *
 * <p><b>Bounds.</b> The queue has a limit in works and in bytes; beyond it, callers wait. A group has a limit in bytes, so
 * that one flood does not keep everybody waiting for one huge commit.
 *
 * <p><b>After an error</b> of SQLite the connection is closed and the next group opens the file anew: a store whose disk was
 * full works again when the cause is gone.
 *
 * <p><b>The file is the one that was opened.</b> A file that is deleted or replaced while it is open takes every write, and
 * nobody finds the events again. After each commit, before the callers are answered, the writer compares device and inode of
 * the path with those at the opening: one look at the file, about a microsecond beside a sync. To look before the commit would
 * leave a gap.
 *
 * <p>Waiting callers ignore interrupts (the flag stays set): giving up halfway would leave them not knowing whether their
 * event was stored.
 */
final class SqliteGroupCommitWriter implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SqliteGroupCommitWriter.class.getName());

    private static final long LINGER_NANOS = 100_000;
    private static final int MAX_QUEUED = 10_000;
    private static final long MAX_QUEUED_BYTES = 64L * 1024 * 1024;
    private static final long MAX_GROUP_BYTES = 16L * 1024 * 1024;

    private final SqliteFile file;
    private final Optional<Object> identity;
    private final boolean survivesPowerLoss;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition taken = lock.newCondition();
    private final Queue<Queued<?>> queue = new ArrayDeque<>();
    private long queuedBytes;
    private int lastGroup;
    private boolean closed;

    // Touched by the writer thread only.
    private @Nullable SqliteSession session;
    private boolean syncing = true;
    private boolean folderSynced;

    private final AtomicLong commits = new AtomicLong();

    SqliteGroupCommitWriter(SqliteFile file, SqliteSession session, boolean survivesPowerLoss) {
        this.file = file;
        identity = file.identity();
        this.session = session;
        this.survivesPowerLoss = survivesPowerLoss;
        thread = new Thread(this::run, "redrive-sqlite-writer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether a commit must reach the disk before its callers are answered. */
    enum Sync {
        DURABLE,
        HARMLESS_TO_LOSE
    }

    private record Queued<T>(SqlWork<SqliteSession, T> work, Sync sync, long bytes, CompletableFuture<T> answer) {
        void runWith(SqliteSession session, List<Runnable> answers) throws SQLException {
            T result = work.run(session);
            answers.add(() -> answer.complete(result));
        }
    }

    /** Runs {@code work} together with what others have queued, and returns when it is committed. */
    <T> T write(Sync sync, long bytes, SqlWork<SqliteSession, T> work) {
        Queued<T> queued = new Queued<>(work, sync, bytes, new CompletableFuture<>());
        enqueue(queued);
        try {
            return queued.answer.join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    /** How many transactions were committed. */
    long commits() {
        return commits.get();
    }

    /** How many callers wait for their turn. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Queued<?> queued) {
        lock.lock();
        try {
            while (!closed && isFullFor(queued)) {
                taken.awaitUninterruptibly();
            }
            if (closed) {
                throw new StoreException("store " + file.path() + ": closed; open it again to use it");
            }
            queue.add(queued);
            queuedBytes += queued.bytes;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** What alone is larger than the limit is let into an empty queue. */
    private boolean isFullFor(Queued<?> queued) {
        return queue.size() >= MAX_QUEUED || (!queue.isEmpty() && queuedBytes + queued.bytes > MAX_QUEUED_BYTES);
    }

    private void run() {
        for (List<Queued<?>> group = nextGroup(); !group.isEmpty(); group = nextGroup()) {
            try {
                process(group);
            } catch (RuntimeException | Error e) {
                // Whatever happened: no transaction stays open, nobody is left waiting, and who has an answer keeps it.
                closeSession();
                group.forEach(queued -> queued.answer.completeExceptionally(e));
                LOG.log(Level.ERROR, "store " + file.path() + ": a group of writes failed unexpectedly", e);
            }
        }
        closeSession();
    }

    /** Waits for work; empty when closed and nothing is left. */
    private List<Queued<?>> nextGroup() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            linger();
            List<Queued<?>> group = new ArrayList<>();
            long bytes = 0;
            while (!queue.isEmpty() && (group.isEmpty() || bytes + queue.peek().bytes <= MAX_GROUP_BYTES)) {
                Queued<?> next = queue.remove();
                bytes += next.bytes;
                group.add(next);
            }
            queuedBytes -= bytes;
            lastGroup = group.size();
            taken.signalAll();
            return group;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Callers who were answered together tend to come back together, a moment later than the first of them. To start with
     * the first would leave the others a whole commit behind. A caller who was alone last time is not kept waiting. With
     * four threads that publish one event at a time, 8,000 events took 2,100 commits with it and 2,800 to 3,700 without; the
     * rate was the same where a sync costs 0.3 ms, so the gain is for slower disks.
     */
    private void linger() {
        long left = LINGER_NANOS;
        try {
            while (queue.size() < lastGroup && !closed && left > 0) {
                left = arrived.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread for a reason; go on with what is there.
            lastGroup = 0;
        }
    }

    private void process(List<Queued<?>> group) {
        SqliteSession begun;
        try {
            begun = begin(group);
        } catch (SQLException | StoreException e) {
            // Nobody's fault, and waiting for a lock again for each of them would take ages.
            recoverFrom(e);
            group.forEach(queued -> queued.answer.completeExceptionally(explained(e)));
            return;
        }
        List<Runnable> answers = new ArrayList<>(group.size());
        try {
            for (Queued<?> queued : group) {
                queued.runWith(begun, answers);
            }
            begun.commit();
        } catch (SQLException | RuntimeException e) {
            recoverFrom(e);
            if (group.size() > 1) {
                group.forEach(queued -> process(List.of(queued)));
            } else {
                group.get(0).answer.completeExceptionally(explained(e));
            }
            return;
        }
        commits.incrementAndGet();
        try {
            requireLastingName();
        } catch (StoreException e) {
            group.forEach(queued -> queued.answer.completeExceptionally(e));
            return;
        }
        answers.forEach(Runnable::run);
    }

    /** A commit lasts only as long as the names of the file and of its log do. */
    private void requireLastingName() {
        file.requireIdentity(identity);
        if (syncing && survivesPowerLoss && !folderSynced) {
            file.syncFolder(); // SQLite does it only for a log that the same connection has created
            folderSynced = true;
        }
    }

    private Exception explained(Exception e) {
        return e instanceof SQLException sql ? SqliteErrors.explained(file.path(), sql) : e;
    }

    private SqliteSession begin(List<Queued<?>> group) throws SQLException {
        SqliteSession open = session;
        if (open == null) {
            file.requireIdentity(identity); // to open a missing file would create an empty one
            open = file.openWriter();
            session = open;
            syncing = true;
            folderSynced = false;
        }
        boolean sync = survivesPowerLoss && group.stream().anyMatch(queued -> queued.sync == Sync.DURABLE);
        if (sync != syncing) {
            open.execute(sync ? SqliteSql.SYNC_COMMITS : SqliteSql.DO_NOT_SYNC_COMMITS);
            syncing = sync;
        }
        open.begin(SqliteSql.BEGIN_WRITING);
        return open;
    }

    /**
     * Undoes the transaction. After an error of SQLite the connection goes too: its driver closes a statement that failed,
     * COMMIT and ROLLBACK among them, and the next group would trip over it.
     */
    private void recoverFrom(Exception failure) {
        if (session == null) {
            return;
        }
        if (failure instanceof SQLException) {
            closeSession();
            return;
        }
        try {
            session.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
            closeSession();
        }
    }

    private void closeSession() {
        if (session != null) {
            try {
                session.close();
            } catch (SQLException e) {
                LOG.log(Level.WARNING, "store " + file.path() + ": a connection did not close", e);
            }
            session = null;
        }
    }

    /** The callers' own stack is what they need to see; the writer's stays as the cause. */
    private static RuntimeException rethrown(@Nullable Throwable failure) {
        if (failure instanceof StoreException) {
            return new StoreException(failure.getMessage(), failure);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException exception
                ? exception
                : new StoreException("unexpected failure of a write", failure);
    }

    /** Lets queued writes finish, then stops. Queued writes fail when another process keeps the file locked. */
    @Override
    public void close() {
        file.closing();
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
            taken.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
