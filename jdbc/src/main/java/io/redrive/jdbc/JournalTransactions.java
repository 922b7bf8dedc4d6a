package io.redrive.jdbc;

import java.sql.SQLException;
import java.time.Instant;

/** Runs work on the journal's tables; one implementation for each database. */
interface JournalTransactions {

    /** Runs queries on one snapshot. */
    <T> T read(SqlWork<SqlSession, T> work);

    /** Runs changes whose loss in a power failure does no harm, because they can be repeated. */
    <T> T write(SqlWork<SqlSession, T> work);

    /** Returns the present in microseconds, by the clock that dates finished events. */
    long now(SqlSession session, Instant callers) throws SQLException;

    /** Transactions on a file. */
    record OnSqlite(SqliteGroupCommitWriter writer, SqliteReaders readers) implements JournalTransactions {
        @Override
        public <T> T read(SqlWork<SqlSession, T> work) {
            return readers.read(work::run);
        }

        @Override
        public <T> T write(SqlWork<SqlSession, T> work) {
            return writer.write(SqliteGroupCommitWriter.Sync.HARMLESS_TO_LOSE, 0, work::run);
        }

        @Override
        public long now(SqlSession session, Instant callers) {
            return Micros.of(callers);
        }
    }

    /** Transactions on a server. */
    record OnPostgres(PostgresDatabase database, PostgresClock clock) implements JournalTransactions {
        @Override
        public <T> T read(SqlWork<SqlSession, T> work) {
            return database.snapshot(work::run);
        }

        @Override
        public <T> T write(SqlWork<SqlSession, T> work) {
            return database.hotTransaction(work::run);
        }

        @Override
        public long now(SqlSession session, Instant callers) throws SQLException {
            var now = session.prepare(PostgresSql.NOW);
            clock.bind(now, 1);
            try (var row = now.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
