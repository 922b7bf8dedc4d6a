package io.redrive.jdbc;

import io.redrive.events.SharedNotes;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Notes in a table. A note that changes becomes a new row, since the row id is its version. */
final class SqliteNotes implements SharedNotes {

    private final SqliteGroupCommitWriter writer;
    private final SqliteReaders readers;

    SqliteNotes(SqliteGroupCommitWriter writer, SqliteReaders readers) {
        this.writer = writer;
        this.readers = readers;
    }

    @Override
    public List<Note> read() {
        return readers.read(session -> {
            List<Note> notes = new ArrayList<>();
            try (ResultSet row = session.prepare(SqliteSql.READ_NOTES).executeQuery()) {
                while (row.next()) {
                    notes.add(new Note(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)));
                }
            }
            return notes;
        });
    }

    @Override
    public boolean write(Note note) {
        return writer.write(Sync.DURABLE, 0, session -> {
            if (note.version() > 0 && !delete(session, note)) {
                return false;
            }
            PreparedStatement insert = session.prepare(SqliteSql.WRITE_NOTE);
            insert.setString(1, note.topic());
            insert.setString(2, note.name());
            insert.setString(3, note.value());
            return insert.executeUpdate() == 1;
        });
    }

    @Override
    public boolean erase(Note note) {
        return writer.write(Sync.DURABLE, 0, session -> delete(session, note));
    }

    private static boolean delete(SqliteSession session, Note note) throws SQLException {
        PreparedStatement delete = session.prepare(SqliteSql.ERASE_NOTE);
        delete.setString(1, note.topic());
        delete.setString(2, note.name());
        delete.setLong(3, note.version());
        return delete.executeUpdate() == 1;
    }
}
