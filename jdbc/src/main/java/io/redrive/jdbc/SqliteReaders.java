package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

/** Up to four read-only connections, opened when first needed. Reads never wait for writes, nor writes for reads. */
final class SqliteReaders implements AutoCloseable {

    private static final int CONNECTIONS = 4;

    private final SqliteFile file;
    private final Semaphore permits = new Semaphore(CONNECTIONS);
    private final Deque<SqliteSession> idle = new ArrayDeque<>();
    private boolean closed;

    SqliteReaders(SqliteFile file) {
        this.file = file;
    }

    /** Runs {@code query} in one snapshot of the file. */
    <T> T read(SqlWork<SqliteSession, T> query) {
        permits.acquireUninterruptibly();
        try {
            SqliteSession session = borrow();
            try {
                session.begin(SqliteSql.BEGIN_READING);
                T result = query.run(session);
                session.commit();
                giveBack(session);
                return result;
            } catch (SQLException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        } finally {
            permits.release();
        }
    }

    private SqliteSession borrow() throws SQLException {
        synchronized (idle) {
            if (closed) {
                throw new StoreException("store " + file.path() + ": closed; open it again to use it");
            }
            if (!idle.isEmpty()) {
                return idle.pop();
            }
        }
        return file.openReader();
    }

    private void giveBack(SqliteSession session) throws SQLException {
        synchronized (idle) {
            if (!closed) {
                idle.push(session);
                return;
            }
        }
        session.close();
    }

    @Override
    public void close() throws SQLException {
        synchronized (idle) {
            closed = true;
            while (!idle.isEmpty()) {
                idle.pop().close();
            }
        }
    }
}
