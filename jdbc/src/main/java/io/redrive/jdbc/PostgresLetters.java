package io.redrive.jdbc;

import io.redrive.events.RedriveRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Where PostgreSQL's letters are. */
record PostgresLetters(PostgresDatabase database, DatabaseClock clock) implements StoredLetters.Transactions {

    private static final String IMPORTS = "imports";

    @Override
    public <T> T read(SqlWork<SqlSession, T> work) {
        return database.snapshot(work::run);
    }

    @Override
    public <T> T write(long bytes, SqlWork<LetterSession, T> work) {
        return database.transaction(session -> work.run(new Changing(session, clock)));
    }

    private record Changing(PostgresSession session, DatabaseClock clock) implements LetterSession {

        @Override
        public PreparedStatement prepare(String sql) throws SQLException {
            return session.prepare(sql);
        }

        @Override
        public Dialect dialect() {
            return session.dialect();
        }

        @Override
        public long nextPosition() throws SQLException {
            try (ResultSet row = session.prepare(PostgresSql.NEXT_POSITION).executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }

        @Override
        public void revive(List<Long> ids, RedriveRequest request) throws SQLException {
            PreparedStatement revive = session.prepare(PostgresSql.REVIVE);
            clock.bind(revive, 1);
            revive.setArray(2, session.bigints(ids));
            revive.setInt(3, request.automatic() ? 1 : 0);
            revive.setString(4, request.batch());
            revive.setArray(5, session.bigints(ids));
            revive.executeUpdate();
        }

        @Override
        public void lockImports() throws SQLException {
            PreparedStatement lock = session.prepare(PostgresSql.LOCK);
            lock.setLong(1, session.schema().lock(IMPORTS));
            lock.execute();
        }
    }
}
