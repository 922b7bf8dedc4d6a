package io.redrive.jdbc;

import io.redrive.events.RedriveRequest;
import io.redrive.jdbc.GroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Where SQLite's letters are: looked at through the readers, changed through the writer. */
record SqliteLetters(GroupCommitWriter writer, SqliteReaders readers) implements StoredLetters.Transactions {

    @Override
    public <T> T read(SqlWork<SqlSession, T> work) {
        return readers.read(work::run);
    }

    @Override
    public <T> T write(long bytes, SqlWork<LetterSession, T> work) {
        return writer.write(Sync.DURABLE, bytes, session -> work.run(new Changing(session)));
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
        public long nextPosition() throws SQLException {
            return session.nextPosition();
        }

        @Override
        public void revive(List<Long> ids, RedriveRequest request) throws SQLException {
            PreparedStatement revive = session.prepare(SqliteSql.REVIVE);
            for (long id : ids) {
                revive.setLong(1, id);
                revive.setLong(2, session.nextPosition());
                revive.setLong(3, Micros.of(request.now()));
                revive.setInt(4, request.automatic() ? 1 : 0);
                revive.setString(5, request.batch());
                revive.executeUpdate();
            }
            LetterWrites.delete(this, LetterSql.DELETE, ids);
        }

        /** There is one writer, and its transactions lock other processes out. */
        @Override
        public void lockImports() {}
    }
}
