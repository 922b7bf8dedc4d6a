package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.RedriveRequest;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Transactions on SQLite's dead letters: reads on the readers' connections, changes through the writer. */
record SqliteLetterTransactions(SqliteGroupCommitWriter writer, SqliteReaders readers)
        implements SqlDeadLetters.Transactions {

    @Override
    public <T> T read(SqlWork<SqlSession, T> work) {
        return readers.read(work::run);
    }

    @Override
    public <T> T write(long bytes, SqlWork<LetterSession, T> work) {
        return writer.write(Sync.DURABLE, bytes, session -> work.run(new Changing(session)));
    }

    @Override
    public Instant now(SqlSession session, Instant callers) {
        return Micros.toInstant(Micros.of(callers));
    }

    @Override
    public <T> T turn(SqlWork<LetterSession, T> work) {
        return write(0, work);
    }

    /** Inserts letters with their attempts; each has the origin at its index. */
    static void insert(SqliteSession session, List<DeadLetter> letters, List<Long> origins) throws SQLException {
        PreparedStatement insert = session.prepare(LetterSql.IMPORT);
        PreparedStatement attempts = session.prepare(LetterSql.IMPORT_ATTEMPT);
        for (int i = 0; i < letters.size(); i++) {
            EventRows.bindLetter(insert, origins.get(i), letters.get(i));
            insert.addBatch();
            for (AttemptRecord attempt : letters.get(i).history()) {
                attempts.setLong(1, origins.get(i));
                EventRows.bindAttempt(attempts, attempt);
                attempts.addBatch();
            }
        }
        insert.executeBatch();
        attempts.executeBatch();
    }

    private record Changing(SqliteSession session) implements LetterSession {

        @Override
        public PreparedStatement prepare(String sql) throws SQLException {
            return session.prepare(sql);
        }

        @Override
        public Dialect dialect() {
            return session.dialect();
        }

        @Override
        public List<Long> nextPositions(int count) throws SQLException {
            List<Long> positions = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                positions.add(session.nextPosition());
            }
            return positions;
        }

        @Override
        public Set<List<String>> known(List<Event> events) throws SQLException {
            PreparedStatement find = session.prepare(LetterSql.HAS_EVENT);
            Set<List<String>> known = new HashSet<>();
            for (Event event : events) {
                find.setString(1, event.id());
                find.setString(2, EventRows.correlationId(event));
                try (ResultSet row = find.executeQuery()) {
                    if (row.next()) {
                        known.add(LetterWrites.key(event));
                    }
                }
            }
            return known;
        }

        @Override
        public void insert(List<DeadLetter> letters, List<Long> origins) throws SQLException {
            SqliteLetterTransactions.insert(session, letters, origins);
        }

        @Override
        public void revive(List<Long> ids, List<Long> positions, RedriveRequest request) throws SQLException {
            PreparedStatement revive = session.prepare(SqliteSql.REVIVE);
            for (int i = 0; i < ids.size(); i++) {
                revive.setLong(1, ids.get(i));
                revive.setLong(2, positions.get(i));
                revive.setLong(3, Micros.of(request.now()));
                revive.setInt(4, request.automatic() ? 1 : 0);
                revive.setString(5, request.batch());
                revive.executeUpdate();
            }
            LetterWrites.delete(this, LetterSql.DELETE, ids);
        }

        @Override
        public void forgetKeys(List<Long> ids) throws SQLException {
            PreparedStatement forget = session.prepare(SqliteSql.FORGET_KEYS_OF_LETTERS);
            forget.setString(1, ids.toString());
            forget.executeUpdate();
        }

        @Override
        public Instant now(Instant callers) {
            return callers;
        }

        /** Nothing to lock: the file has one writer, and its transactions lock out all processes. */
        @Override
        public void lockStarts() {}

        /** Nothing to lock, as for starts. */
        @Override
        public void lockImports() {}
    }
}
