package io.redrive.jdbc;

import io.redrive.events.SharedNotes;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Shared notes in the database. A sequence numbers the versions of all notes. */
record PostgresNotes(PostgresDatabase database) implements SharedNotes {

    @Override
    public List<Note> read() {
        return database.statement(NoteRows::read);
    }

    @Override
    public boolean write(Note note) {
        return database.statement(session -> note.version() == 0 ? NoteRows.add(session, note) : change(session, note));
    }

    private static boolean change(PostgresSession session, Note note) throws SQLException {
        PreparedStatement change = session.prepare(PostgresSql.CHANGE_NOTE);
        change.setString(1, note.value());
        change.setString(2, note.topic());
        change.setString(3, note.name());
        change.setLong(4, note.version());
        return change.executeUpdate() == 1;
    }

    @Override
    public boolean erase(Note note) {
        return database.statement(session -> NoteRows.erase(session, note));
    }
}
