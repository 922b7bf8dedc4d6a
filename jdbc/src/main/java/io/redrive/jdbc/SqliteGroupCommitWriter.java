package io.redrive.jdbc;

import io.redrive.core.Time;
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
 * Runs all writes of a store on one thread and one connection, and commits the writes of all waiting callers together.
 *
 * <p><b>Why.</b> SQLite has one writer at a time, and a durable commit costs one sync of the disk, whatever its size.
 * Callers committing alone would queue for both. So callers queue their work and wait; the writer thread takes the
 * whole queue as a group, runs the group in one transaction, commits once, and only then answers the callers. The next
 * group gathers while the disk syncs, so groups grow with the load, and a lone caller waits for no group. Only after a
 * group with several publishers does the writer wait a tenth of a millisecond for more, see {@link #linger}.
 *
 * <p><b>One failure spoils no other work.</b> When a work of a group fails, the transaction is rolled back and each
 * work runs again in its own transaction; only the caller of the failing work sees the failure. Each work may therefore
 * run twice: it reads its input, writes through the session and keeps no state in between. A savepoint around each work
 * was rejected: SQLite copies every page a savepoint touches, on each success, for a failure that hardly ever happens.
 *
 * <p><b>Sync only where needed.</b> A group of claims, extensions and housekeeping alone is committed without a sync:
 * after a power failure the group never happened, and its claimers died with the machine. The log keeps the order of
 * commits, so no synced commit can depend on a lost one. A group with a publish or a settlement is always synced.
 *
 * <p><b>Limits.</b> The queue is limited in works and in bytes; beyond the limit, callers wait. A group is limited in
 * bytes, so that a flood of large events does not delay all callers by one huge commit.
 *
 * <p><b>After an error</b> of SQLite the connection is closed, and the next group opens the file anew: a store whose
 * disk was full works again when there is space.
 *
 * <p><b>Several stores on one file</b>, in one process or in several, take turns: see {@link SqliteTurn}.
 *
 * <p><b>The file is still the opened file.</b> A file deleted or replaced while open accepts every write, and the
 * events are never found again. After each commit, before the callers are answered, the writer compares device and
 * inode of the path with their values at opening: about a microsecond, beside a sync. Comparing before the commit would
 * leave a gap.
 *
 * <p>Waiting callers ignore interrupts (the flag stays set): a caller giving up early would not know whether its event
 * was stored.
 */
final class SqliteGroupCommitWriter implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SqliteGroupCommitWriter.class.getName());

    private static final long LINGER_NANOS = 100_000;
    /** How long a writer without work keeps the turn. */
    private static final long KEPT_TURN_NANOS = 300_000;

    private static final int MAX_QUEUED = 10_000;
    private static final long MAX_QUEUED_BYTES = 64L * 1024 * 1024;
    private static final long MAX_GROUP_BYTES = 16L * 1024 * 1024;

    private final SqliteFile file;
    private final boolean survivesPowerLoss;
    private final Thread thread;
    /** Set before the thread starts. */
    private Optional<Object> identity = Optional.empty();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition taken = lock.newCondition();
    private final Queue<Queued<?>> queue = new ArrayDeque<>();
    private long queuedBytes;
    /** Number of publishers whose work waits in the queue, and in the last group. */
    private int publishers;

    private int lastPublishers;
    /** True while the writer waits for publishers of the last group. */
    private boolean lingering;

    private boolean closed;

    // Used by the writer thread only.
    private final SqliteTurn turn;
    private @Nullable SqliteSession session;
    private boolean syncing = true;
    private boolean folderSynced;

    private final AtomicLong commits = new AtomicLong();

    /** Makes a writer that does not run yet: a store makes its objects while the native library is loading. */
    SqliteGroupCommitWriter(SqliteFile file, boolean survivesPowerLoss) {
        this.file = file;
        turn = new SqliteTurn(file.path(), Time.system());
        this.survivesPowerLoss = survivesPowerLoss;
        thread = new Thread(this::run, "redrive-sqlite-writer");
        thread.setDaemon(true);
    }

    /** Opens the connection and starts the thread, once, when the tables of the file are up to date. */
    void start() throws SQLException {
        session = file.openWriter();
        identity = file.identity();
        thread.start();
    }

    /** Whether a commit must reach the disk before its callers are answered. */
    enum Sync {
        DURABLE,
        HARMLESS_TO_LOSE
    }

    private record Queued<T>(SqlWork<SqliteSession, T> work, Sync sync, long bytes, CompletableFuture<T> answer) {
        /** Only published events have a size that is known before. */
        boolean isPublisher() {
            return bytes > 0;
        }

        void runWith(SqliteSession session, List<Runnable> answers) throws SQLException {
            T result = work.run(session);
            answers.add(() -> answer.complete(result));
        }
    }

    /** Runs {@code work} in a group with other queued work, and returns when the group is committed. */
    <T> T write(Sync sync, long bytes, SqlWork<SqliteSession, T> work) {
        Queued<T> queued = new Queued<>(work, sync, bytes, new CompletableFuture<>());
        enqueue(queued);
        try {
            return queued.answer.join();
        } catch (CompletionException e) {
            throw rethrown(e);
        }
    }

    /** Number of committed transactions. */
    long commits() {
        return commits.get();
    }

    /** Number of callers whose work waits in the queue. */
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
            publishers += queued.isPublisher() ? 1 : 0;
            // A writer that waits for several publishers is woken by the last of them: each wake-up costs a switch of
            // threads.
            if (!lingering || publishers >= lastPublishers) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Work larger than the limit is let into an empty queue. */
    private boolean isFullFor(Queued<?> queued) {
        return queue.size() >= MAX_QUEUED || (!queue.isEmpty() && queuedBytes + queued.bytes > MAX_QUEUED_BYTES);
    }

    private void run() {
        for (List<Queued<?>> group = nextGroup(); !group.isEmpty(); group = nextGroup()) {
            try {
                process(group);
            } catch (RuntimeException | Error e) {
                // In any case no transaction stays open and no caller keeps waiting; a caller already answered keeps
                // its answer.
                closeSession();
                group.forEach(queued -> queued.answer.completeExceptionally(e));
                LOG.log(Level.ERROR, "store " + file.path() + ": a group of writes failed unexpectedly", e);
            }
        }
        closeSession();
        turn.close();
    }

    /** Waits for work. Returns an empty group when the writer is closed and the queue is empty. */
    private List<Queued<?>> nextGroup() {
        lock.lock();
        try {
            awaitWork();
            linger();
            List<Queued<?>> group = new ArrayList<>();
            long bytes = 0;
            while (!queue.isEmpty() && (group.isEmpty() || bytes + queue.peek().bytes <= MAX_GROUP_BYTES)) {
                Queued<?> next = queue.remove();
                bytes += next.bytes;
                group.add(next);
            }
            queuedBytes -= bytes;
            lastPublishers = (int) group.stream().filter(Queued::isPublisher).count();
            publishers -= lastPublishers;
            taken.signalAll();
            return group;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for work. Keeps the turn for a moment: a caller that was just answered may write again at once. */
    private void awaitWork() {
        try {
            while (queue.isEmpty() && !closed && turn.isHeld()) {
                if (arrived.awaitNanos(KEPT_TURN_NANOS) <= 0 && queue.isEmpty()) {
                    turn.pass();
                }
            }
        } catch (InterruptedException e) {
            // No code of ours interrupts this thread: other stores shall not wait for that.
            turn.pass();
        }
        while (queue.isEmpty() && !closed) {
            arrived.awaitUninterruptibly();
        }
    }

    /**
     * Waits a moment for the publishers of the last group. Publishers answered together tend to publish again together, shortly
     * after the first of them. A group started for the first publisher alone would make the rest wait for a whole commit. After a
     * group with at most one publisher, the writer does not wait, and no other work is waited for: an exchange of a pipeline that
     * comes too late joins the next group. Measured with four threads publishing one event at a time: 8,000 events took 2,100
     * commits, and 2,800 to 3,700 without this wait.
     */
    private void linger() {
        long left = LINGER_NANOS;
        lingering = true;
        try {
            while (lastPublishers > 1 && publishers < lastPublishers && !closed && left > 0) {
                left = arrived.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // No code of ours interrupts this thread: continue with the queued work.
            lastPublishers = 0;
        } finally {
            lingering = false;
        }
    }

    private void process(List<Queued<?>> group) {
        SqliteSession begun;
        try {
            begun = begin(group);
        } catch (SQLException | StoreException e) {
            // No work is to blame, and each of them alone would wait for the lock again.
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

    /** Checks the file and its folder: a commit lasts only as long as the names of the file and of its log. */
    private void requireLastingName() {
        file.requireIdentity(identity);
        if (syncing && survivesPowerLoss && !folderSynced) {
            file.syncFolder(); // SQLite syncs the folder only when the same connection created the log
            folderSynced = true;
        }
    }

    private Exception explained(Exception e) {
        return e instanceof SQLException sql ? SqliteErrors.explained(file.path(), sql) : e;
    }

    private SqliteSession begin(List<Queued<?>> group) throws SQLException {
        SqliteSession open = session;
        if (open == null) {
            file.requireIdentity(identity); // opening a missing file would create an empty one
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
        file.beginWriting(open, turn);
        return open;
    }

    /**
     * Undoes the transaction. After an error of SQLite the connection is closed too: the driver closes a failed
     * statement, also COMMIT and ROLLBACK, and the next group would use the closed statement.
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

    /** Throws with the caller's stack; the writer's stack stays as the cause. */
    private static RuntimeException rethrown(CompletionException answer) {
        Throwable failure = answer.getCause() == null ? answer : answer.getCause();
        if (failure instanceof StoreException) {
            return new StoreException(String.valueOf(failure.getMessage()), failure);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException exception
                ? exception
                : new StoreException("unexpected failure of a write", failure);
    }

    /** Commits queued writes, then stops. Queued writes fail when another process keeps the file locked. */
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
