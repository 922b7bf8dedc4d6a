package io.redrive.jdbc;

import io.redrive.events.SharedNotes;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/** Notes in a table; the version is part of each condition. */
record PostgresNotes(PostgresDatabase database) implements SharedNotes {

    @Override
    public List<Note> read() {
        return database.statement(session -> {
            List<Note> notes = new ArrayList<>();
            try (ResultSet row = session.prepare(PostgresSql.READ_NOTES).executeQuery()) {
                while (row.next()) {
                    notes.add(new Note(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)));
                }
            }
            return notes;
        });
    }

    @Override
    public boolean write(Note note) {
        return note.version() == 0 ? writeFirst(note) : change(note);
    }

    private boolean writeFirst(Note note) {
        return database.statement(session -> {
            PreparedStatement first = session.prepare(PostgresSql.FIRST_NOTE);
            first.setString(1, note.topic());
            first.setString(2, note.name());
            first.setString(3, note.value());
            return first.executeUpdate() == 1;
        });
    }

    private boolean change(Note note) {
        return database.statement(session -> {
            PreparedStatement change = session.prepare(PostgresSql.CHANGE_NOTE);
            change.setString(1, note.value());
            change.setString(2, note.topic());
            change.setString(3, note.name());
            change.setLong(4, note.version());
            return change.executeUpdate() == 1;
        });
    }

    @Override
    public boolean erase(Note note) {
        return database.statement(session -> {
            PreparedStatement erase = session.prepare(PostgresSql.ERASE_NOTE);
            erase.setString(1, note.topic());
            erase.setString(2, note.name());
            erase.setLong(3, note.version());
            return erase.executeUpdate() == 1;
        });
    }
}
